//! Lists notifications of providers, newest first: GET /inbox.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import {
  listNotificationRows,
  type Notification,
  type NotificationFilter,
} from './notification-list.ts';

export async function listNotifications(
  app: Transactor,
  call: Call,
  query: PageQuery & NotificationFilter,
): Promise<Page<Notification>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listNotificationRows(tx, query, after, count)),
  );
}
