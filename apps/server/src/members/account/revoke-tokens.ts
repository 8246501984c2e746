//! Ends every token of a member at once: POST /auth/logout.
import type { Instant } from '@holdfast/kernel/clock';
import type { Call, MemberActor } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { endTokens } from './member.ts';

export async function revokeTokens(app: Transactor, call: Call<MemberActor>): Promise<Instant> {
  return transact(app, call, async (tx) => {
    await endTokens(tx, call.actor.id);
    await audit(tx, { action: 'MEMBER_LOGGED_OUT', resourceId: call.actor.id });
    return tx.now;
  });
}
