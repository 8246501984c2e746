//! Lists disputes, newest or oldest first: GET /disputes.
import type { Call } from '../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../platform/page.ts';
import { read, type Transactor } from '../platform/transact.ts';
import type { ListedDispute } from './dispute.ts';
import { type DisputeFilter, listDisputeRows } from './dispute-list.ts';

export async function listDisputes(
  app: Transactor,
  call: Call,
  query: PageQuery & DisputeFilter,
): Promise<Page<ListedDispute>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listDisputeRows(tx, query, after, count)),
  );
}
