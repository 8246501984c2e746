//! Freezes a user: POST /users/{id}/freeze. It sets the status SUSPENDED, which checks read.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
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

/** Suspends an active user in the caller's transaction; a user who is suspended stays so. */
export async function suspendUser(tx: Tx, userId: UserId, reason: string): Promise<void> {
  if (await moveUserStatus(tx, userId, 'ACTIVE', 'SUSPENDED'))
    await auditStatus(tx, userId, 'ACTIVE', 'SUSPENDED', reason);
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
    await auditStatus(tx, userId, from, to, reason);
    const changed = await findUser(tx, userId);
    assert(changed !== undefined, 'users are never deleted');
    return shownTo(tx.actor, changed);
  });
}

function auditStatus(
  tx: Tx,
  userId: UserId,
  from: User['status'],
  to: User['status'],
  reason: string,
): Promise<void> {
  return audit(tx, {
    action: to === 'SUSPENDED' ? 'USER_FROZEN' : 'USER_UNFROZEN',
    resourceId: userId,
    before: { status: from },
    after: { status: to },
    reason,
  });
}
