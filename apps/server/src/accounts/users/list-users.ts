//! Lists users, newest first: GET /users.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { listUserRows, type User, type UserFilter } from './user.ts';

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
