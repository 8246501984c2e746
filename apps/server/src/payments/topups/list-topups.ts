//! Lists top-ups, newest first: GET /topups.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { listTopupRows, type Topup, type TopupFilter } from './topup.ts';

export async function listTopups(
  app: Transactor,
  call: Call,
  query: PageQuery & TopupFilter,
): Promise<Page<Topup>> {
  return read(app, call, (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(tx.actor, await listTopupRows(tx, query, after, count)),
    ),
  );
}
