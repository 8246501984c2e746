//! Gets a user: GET /users/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findUser, type User } from './user.ts';

export async function getUser(app: Transactor, call: Call, userId: UserId): Promise<User> {
  return read(app, call, async (tx) => {
    const user = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
    return shownTo(tx.actor, user);
  });
}
