//! Gets a notice of a provider with its body as it came: GET /inbox/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { NoticeId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { findNotice, type NoticeDetail } from './notice-list.ts';

export async function getNotice(
  app: Transactor,
  call: Call,
  noticeId: NoticeId,
): Promise<NoticeDetail> {
  return read(
    app,
    call,
    async (tx) => (await findNotice(tx, noticeId)) ?? refuse('NOTICE_NOT_FOUND', { noticeId }),
  );
}
