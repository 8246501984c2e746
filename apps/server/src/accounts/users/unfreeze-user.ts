//! Lets a frozen user act again: POST /users/{id}/unfreeze.
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import { changeStatus, type StatusReason } from './freeze-user.ts';
import type { User } from './user.ts';

export async function unfreezeUser(
  app: Transactor,
  call: Call,
  userId: UserId,
  because: StatusReason,
): Promise<User> {
  return changeStatus(app, call, userId, because, 'SUSPENDED', 'ACTIVE');
}
