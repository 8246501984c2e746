//! Ends the session that the request came with: POST /operators/sign-out.
import type { Instant } from '@holdfast/kernel/clock';
import type { Call, PersonActor } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { endSession } from './session.ts';

export async function revokeSession(app: Transactor, call: Call<PersonActor>): Promise<Instant> {
  const { id, session } = call.actor;
  return transact(app, call, async (tx) => {
    await endSession(tx, session.id);
    await audit(tx, { action: 'OPERATOR_SIGNED_OUT', resourceId: id });
    return tx.now;
  });
}
