//! Reads providers' notifications.
import { refuse } from '@holdfast/contract/errors';
import type { NotificationId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import {
  findNotification,
  listNotificationRows,
  type Notification,
  type NotificationDetail,
  type NotificationFilter,
} from './notification-list.ts';
import { maskNotification } from './notification-mask.ts';

/** GET /inbox/{id}: operators see its body masked. */
export async function getNotification(
  app: Transactor,
  call: Call,
  notificationId: NotificationId,
): Promise<NotificationDetail> {
  return read(app, call, async (tx) => {
    const found =
      (await findNotification(tx, notificationId)) ??
      refuse('NOTIFICATION_NOT_FOUND', { notificationId });
    return maskNotification(tx.actor, found);
  });
}

/** GET /inbox: newest first. */
export async function listNotifications(
  app: Transactor,
  call: Call,
  query: PageQuery & NotificationFilter,
): Promise<Page<Notification>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listNotificationRows(tx, query, after, count)),
  );
}
