//! Gets a notice of a provider with its body: GET /inbox/{id}. Operators see people masked in it.
import { refuse } from '@holdfast/contract/errors';
import type { NoticeId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { findNotice, type NoticeDetail } from './notice-list.ts';
import { shownNotice } from './shown-notice.ts';

export async function getNotice(
  app: Transactor,
  call: Call,
  noticeId: NoticeId,
): Promise<NoticeDetail> {
  return read(app, call, async (tx) => {
    const found = (await findNotice(tx, noticeId)) ?? refuse('NOTICE_NOT_FOUND', { noticeId });
    return shownNotice(tx.actor, found);
  });
}
