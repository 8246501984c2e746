//! Returns a user's personal data unmasked, and records who read it: POST /users/{id}/reveal.
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findUser, type User } from './user.ts';

export async function revealUser(
  app: Transactor,
  call: Call,
  userId: UserId,
  { reason }: { readonly reason: string },
): Promise<User> {
  return transact(app, call, async (tx) => {
    const user = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
    await audit(tx, { action: 'PERSONAL_DATA_REVEALED', resourceId: userId, reason });
    return user;
  });
}
