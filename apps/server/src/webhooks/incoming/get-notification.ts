//! Gets a provider's notification: GET /inbox/{id}. Operators see its body masked.
import { refuse } from '@holdfast/contract/errors';
import type { NotificationId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findNotification, type NotificationDetail } from './notification-list.ts';
import { maskNotification } from './notification-mask.ts';

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
