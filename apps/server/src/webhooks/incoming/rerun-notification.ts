//! Applies a notification again: POST /inbox/{id}/rerun.
//!
//! It becomes pending and due, with its attempts at zero, and the worker's `apply-inbox` job
//! applies it like any other. An applied notification stays applied.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { NotificationId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  findNotification,
  type NotificationDetail,
  unparkNotification,
} from './notification-list.ts';
import { maskNotification } from './notification-mask.ts';

export interface Rerun {
  readonly reason: string;
  /** The marketplace that gets the audit entry when the notification has none. */
  readonly auditedIn: RowNumber;
}

export async function rerunNotification(
  app: Transactor,
  call: Call,
  notificationId: NotificationId,
  { reason, auditedIn }: Rerun,
): Promise<NotificationDetail> {
  return transact(app, call, async (tx) => {
    const found =
      (await findNotification(tx, notificationId)) ??
      refuse('NOTIFICATION_NOT_FOUND', { notificationId });
    if (!(await unparkNotification(tx, notificationId)))
      refuse(
        'INVALID_STATE',
        {
          resource: 'notification',
          id: notificationId,
          state: found.status,
          allowed: ['PENDING', 'PARKED'],
          reason: 'the notification has already been processed',
        },
        'The notification has already been processed.',
      );
    await audit(tx, {
      action: 'WEBHOOK_RERUN',
      resourceId: notificationId,
      marketplace: found.marketplace ?? auditedIn,
      before: { status: found.status, attempts: found.attempts },
      after: { status: 'PENDING', provider: found.provider, webhookId: found.eventId },
      reason,
    });
    const waiting = await findNotification(tx, notificationId);
    assert(waiting !== undefined, 'what this transaction wrote is there');
    return maskNotification(tx.actor, waiting);
  });
}
