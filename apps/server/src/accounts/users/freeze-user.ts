//! Freezes a user: POST /users/{id}/freeze. It sets the status SUSPENDED, which checks read.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findUser, moveUserStatus, type User } from './user.ts';

export interface StatusReason {
  readonly reason: string;
}

export async function freezeUser(
  app: Transactor,
  call: Call,
  userId: UserId,
  because: StatusReason,
): Promise<User> {
  return changeStatus(app, call, userId, because, 'ACTIVE', 'SUSPENDED');
}

export async function changeStatus(
  app: Transactor,
  call: Call,
  userId: UserId,
  { reason }: StatusReason,
  from: User['status'],
  to: User['status'],
): Promise<User> {
  return transact(app, call, async (tx) => {
    const user = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
    if (!(await moveUserStatus(tx, userId, from, to)))
      refuse('INVALID_STATE', {
        resource: 'user',
        id: userId,
        state: user.status,
        allowed: [from],
        reason: `the user is ${user.status}`,
      });
    await audit(tx, {
      action: to === 'SUSPENDED' ? 'USER_FROZEN' : 'USER_UNFROZEN',
      resourceId: userId,
      before: { status: from },
      after: { status: to },
      reason,
    });
    const changed = await findUser(tx, userId);
    assert(changed !== undefined, 'users are never deleted');
    return shownTo(tx.actor, changed);
  });
}
