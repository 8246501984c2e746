//! Ends the session that the request came with, or another one of the same operator: POST
//! /operators/sign-out and DELETE /operators/me/sessions/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { Instant } from '@holdfast/kernel/clock';
import type { SessionId } from '@holdfast/kernel/ids';
import type { Call, PersonActor } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { endOwnSession, endSession } from './session.ts';

export async function revokeSession(
  app: Transactor,
  call: Call<PersonActor>,
  sessionId?: SessionId,
): Promise<Instant> {
  const { id, session } = call.actor;
  return transact(app, call, async (tx) => {
    if (sessionId === undefined) await endSession(tx, session.id);
    else if (!(await endOwnSession(tx, id, sessionId))) refuse('SESSION_NOT_FOUND', { sessionId });
    await audit(tx, { action: 'OPERATOR_SIGNED_OUT', resourceId: id, after: { sessionId } });
    return tx.now;
  });
}
