//! Watches the ledger network for deposits and credits them: a background job.
//!
//! The network's payments are read as one feed with one cursor, whosever they are: an address more
//! costs nothing, and no address is ever forgotten. A page is credited marketplace by marketplace,
//! then the cursor moves behind it. Whatever dies in between, the page is read again; what was
//! credited is found by its operation and left alone. One worker reads at a time only to save
//! requests: any number of them would do no harm.
//!
//! The feed begins where the treasury's own history does. The treasury pays the reserves of every
//! wallet, so no address of a user is older than that, and nothing paid to one can be missed.

import { listHouseWallets } from '../custody/house-wallet.ts';
import { withLock } from '../custody/wallet-lock.ts';
import { failpoint } from '../platform/failpoint.ts';
import type { Transactor } from '../platform/transact.ts';
import type { LedgerNetwork, PaymentFeedPage } from '../providers/ledger-network.ts';
import { creditPayments } from './crediting.ts';
import { beginCursor, findCursor, moveCursor } from './network-cursor.ts';
import { findStrangersPayments } from './strangers-payments.ts';

export interface DepositWatcher extends Transactor {
  readonly network: LedgerNetwork;
}

/** The second is for a page that is too large to be read. */
const PAGE_SIZES = [200, 20] as const;
const PAGES_MAX = 50;

export async function creditDeposits(app: DepositWatcher): Promise<number> {
  return (await withLock(app.pool, 'deposits', () => readFeed(app))) ?? 0;
}

/** As far as there is something to read. Answers how many deposits were new. */
export async function readFeed(app: DepositWatcher, pagesMax: number = PAGES_MAX): Promise<number> {
  let credited = 0;
  let cursor = (await findCursor(app)) ?? (await begin(app));
  for (let pages = 0; cursor !== undefined && pages < pagesMax; pages += 1) {
    const page = await readPage(app, cursor);
    if (page === undefined) return credited;
    const found = await findStrangersPayments(app, page.payments);
    credited += await creditPayments(app, found);
    failpoint('deposits:before-cursor');
    const isMoved = page.cursor === cursor || (await moveCursor(app, cursor, page.cursor));
    // Without it another has read on from here.
    if (!isMoved || !page.isFull) return credited;
    cursor = page.cursor;
  }
  return credited;
}

async function begin(app: DepositWatcher): Promise<string | undefined> {
  const house = await listHouseWallets(app.pool);
  const treasury = house.find(({ kind }) => kind === 'treasury');
  if (treasury === undefined) return undefined;
  const first = await app.network.payments(treasury.address, { order: 'asc', limit: 1 });
  const cursor = first.kind === 'done' ? first.value[0]?.cursor : undefined;
  if (cursor === undefined) return undefined;
  await beginCursor(app, cursor);
  return findCursor(app);
}

async function readPage(app: DepositWatcher, cursor: string): Promise<PaymentFeedPage | undefined> {
  for (const size of PAGE_SIZES) {
    const page = await app.network.paymentsSince(cursor, size);
    if (page.kind === 'done') return page.value;
    app.log.warn({ cursor, size, reason: page.reason }, 'fail payments');
  }
  return undefined;
}
