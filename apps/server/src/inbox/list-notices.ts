//! Lists notices of providers, newest first: GET /inbox.
import type { Call } from '../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../platform/page.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { listNoticeRows, type Notice, type NoticeFilter } from './notice-list.ts';

export async function listNotices(
  app: Transactor,
  call: Call,
  query: PageQuery & NoticeFilter,
): Promise<Page<Notice>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listNoticeRows(tx, query, after, count)),
  );
}
