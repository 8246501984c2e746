//! Watches the ledger network for deposits and credits them: a background job.
//!
//! All payments of the network are read as one feed with one cursor, so another address costs
//! nothing and none is missed. A page is credited marketplace by marketplace, then the cursor moves
//! past it. After a crash in between the page is read again; deposits already credited are found by
//! their operation and skipped. One worker reads at a time only to save requests; several would do
//! no harm.
//!
//! The feed starts where the treasury's own history does. The treasury pays the reserves of every
//! wallet, so no user's address is older, and no payment to one can be missed.

import { listHouseWallets } from '../../accounts/custody/house-wallet.ts';
import { withLock } from '../../accounts/custody/wallet-lock.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import { failpoint, passFor } from '../../platform/process/failpoint.ts';
import type { LedgerNetwork, PaymentFeedPage } from '../../providers/network/ledger-network.ts';
import { creditPayments } from './crediting.ts';
import { type ExternalPayment, findExternalPayments, usersAddresses } from './external-payments.ts';
import { findCursor, moveCursor, startCursor } from './network-cursor.ts';

export interface DepositWatcher extends Transactor {
  readonly network: LedgerNetwork;
}

/** The second size is for a page that is too large to be read. */
const PAGE_SIZES = [200, 20] as const;
const PAGES_MAX = 50;

export async function creditDeposits(app: DepositWatcher): Promise<number> {
  return (await withLock(app.pool, 'deposits', () => readFeed(app))) ?? 0;
}

/** Reads to the end of the feed, or up to `pagesMax`. Returns how many deposits were new. */
export async function readFeed(app: DepositWatcher, pagesMax: number = PAGES_MAX): Promise<number> {
  let credited = 0;
  let cursor = (await findCursor(app)) ?? (await startFeed(app));
  for (let pages = 0; cursor !== undefined && pages < pagesMax; pages += 1) {
    const from = cursor;
    const page = await readPage(app, from);
    if (page === undefined) return credited;
    const found = await findExternalPayments(app, page.payments);
    const passed = await passFor(
      found.map(({ userId }) => userId),
      () => passPage(app, page, found, from),
    );
    credited += passed.credited;
    // If the cursor did not move, another worker has read on from here.
    if (!passed.isMoved || !page.isFull) return credited;
    cursor = page.cursor;
  }
  return credited;
}

/** Credits what it found on a page, then moves the cursor to its end. */
async function passPage(
  app: DepositWatcher,
  page: PaymentFeedPage,
  found: readonly ExternalPayment[],
  from: string,
): Promise<{ readonly credited: number; readonly isMoved: boolean }> {
  const credited = await creditPayments(app, found);
  failpoint('deposits:before-cursor');
  const isMoved = page.cursor === from || (await moveCursor(app, from, page.cursor));
  failpoint('deposits:after-cursor');
  return { credited, isMoved };
}

async function startFeed(app: DepositWatcher): Promise<string | undefined> {
  const house = await listHouseWallets(app.pool);
  const treasury = house.find(({ kind }) => kind === 'treasury');
  if (treasury === undefined) return undefined;
  const first = await app.network.payments(treasury.address, { order: 'asc', limit: 1 });
  const cursor = first.kind === 'done' ? first.value[0]?.cursor : undefined;
  if (cursor === undefined) return undefined;
  await startCursor(app, cursor);
  return findCursor(app);
}

async function readPage(app: DepositWatcher, cursor: string): Promise<PaymentFeedPage | undefined> {
  for (const size of PAGE_SIZES) {
    const page = await app.network.paymentsSince(cursor, size, (addresses) =>
      usersAddresses(app.pool, addresses),
    );
    if (page.kind === 'done') return page.value;
    app.log.warn({ cursor, size, reason: page.reason }, 'payment feed read failed');
  }
  return undefined;
}
