//! Lists disputes, newest or oldest first: GET /disputes.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import type { ListedDispute } from '../model/dispute.ts';
import { type DisputeFilter, listDisputeRows } from './dispute-list.ts';

export async function listDisputes(
  app: Transactor,
  call: Call,
  query: PageQuery & DisputeFilter,
): Promise<Page<ListedDispute>> {
  return read(app, call, (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(tx.actor, await listDisputeRows(tx, query, after, count)),
    ),
  );
}
