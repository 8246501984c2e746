//! Has a notice applied again: POST /inbox/{id}/rerun.
//!
//! It waits again, from its first turn on, and is due: the worker's `apply-inbox` takes it up as it
//! takes up every other. What has been applied stays so.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { NoticeId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Call } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import { findNotice, type NoticeDetail, unparkNotice } from './notice-list.ts';
import { shownNotice } from './shown-notice.ts';

export interface Rerun {
  readonly reason: string;
  /** Where it is audited when the notice is nobody's. */
  readonly auditedIn: RowNumber;
}

export async function rerunNotice(
  app: Transactor,
  call: Call,
  noticeId: NoticeId,
  { reason, auditedIn }: Rerun,
): Promise<NoticeDetail> {
  return transact(app, call, async (tx) => {
    const found = (await findNotice(tx, noticeId)) ?? refuse('NOTICE_NOT_FOUND', { noticeId });
    if (!(await unparkNotice(tx, noticeId)))
      refuse('INVALID_STATE', {
        resource: 'notice',
        id: noticeId,
        state: found.status,
        allowed: ['PENDING', 'PARKED'],
        reason: 'what it tells is so already',
      });
    await audit(tx, {
      action: 'WEBHOOK_RERUN',
      resourceId: noticeId,
      marketplace: found.marketplace ?? auditedIn,
      before: { status: found.status, attempts: found.attempts },
      after: { status: 'PENDING', provider: found.provider, webhookId: found.eventId },
      reason,
    });
    const waiting = await findNotice(tx, noticeId);
    assert(waiting !== undefined, 'what this transaction wrote is there');
    return shownNotice(tx.actor, waiting);
  });
}
