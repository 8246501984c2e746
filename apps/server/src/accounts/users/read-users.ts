//! Reads users.
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findUser, listUserRows, type User, type UserFilter } from './user.ts';

/** GET /users/{id}. */
export async function getUser(app: Transactor, call: Call, userId: UserId): Promise<User> {
  return read(app, call, async (tx) => {
    const user = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
    return shownTo(tx.actor, user);
  });
}

/** GET /users: newest first. */
export async function listUsers(
  app: Transactor,
  call: Call,
  query: PageQuery & UserFilter,
): Promise<Page<User>> {
  return read(app, call, async (tx) => {
    const page = await pageOf(query, (after, count) => listUserRows(tx, query, after, count));
    return { ...page, items: page.items.map((user) => shownTo(tx.actor, user)) };
  });
}
