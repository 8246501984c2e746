//! Reads top-ups.
import { refuse } from '@holdfast/contract/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findTopup, listTopupRows, type Topup, type TopupFilter } from './topup.ts';

/** GET /topups/{id}. Every operation on a top-up also returns its result through this function. */
export async function getTopup(app: Transactor, call: Call, topupId: TopupId): Promise<Topup> {
  const found = await read(app, call, (tx) => findTopup(tx, topupId));
  return shownTo(call.actor, found ?? refuse('TOPUP_NOT_FOUND', { topupId }));
}

/** GET /topups: newest first. */
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
