//! Keeps finished wallets in stock, which users take as they are created: a background job.
//!
//! Seeds are sealed and stored before a transaction is built; the signed envelope is stored before
//! it is sent. When a worker dies in between, the next run finds the same envelope and resumes from
//! there. A wallet is handed out once another machine has its seed.
import { newId } from '@holdfast/kernel/ids';
import { systemCall } from '../../platform/call.ts';
import { mapAtOnce } from '../../platform/semaphore.ts';
import { HOUSE, listHouseWallets } from './house-wallet.ts';
import {
  countPooledWallets,
  insertPooledWallets,
  listKeyedPooledWallets,
  listOpenPurposes,
  markPooledWalletsReady,
  postponePooledWallets,
  purgeRefusedWallets,
  recordStoredPositions,
  releaseOldClaims,
  type Stock,
} from './pooled-wallet.ts';
import { sponsorAccounts, WALLETS_PER_ENVELOPE, withSponsors } from './sponsor-accounts.ts';
import {
  allowedWallets,
  isStockingStopped,
  type LimitedStocker,
  type StockingLimits,
} from './stocking-limits.ts';
import { withLock } from './wallet-lock.ts';

export interface WalletStocker extends LimitedStocker {
  readonly config: StockingLimits & { readonly HOLDFAST_SPARE_WALLETS: number };
}

/** Half of the channels: callers that wait for their own wallet need the others. */
const GROUPS_AT_ONCE = 2;
/** Far longer than any request takes. */
const CLAIM_MS_MAX = 300_000;
const RETRY_UNKNOWN_MS = 1000;
const PAUSE_REFUSED_MS = 30_000;

export async function fillWalletPool(app: WalletStocker): Promise<number> {
  const now = app.clock.now();
  const stock = await count(app);
  if (stock.hasLeftovers) {
    await releaseOldClaims(app.pool, now - CLAIM_MS_MAX);
    await purgeRefusedWallets(app.pool, now);
    await recordStoredPositions(app.pool);
  }
  const isShort = groupsToStart(app, stock).length > 0 && !isStockingStopped(app);
  const isMissing = stock.hasLeftovers || isShort;
  // Runs ten times a second, and nearly always ends here.
  if (!isMissing && stock.openGroups === 0) return 0;
  // One worker at a time counts and adds; otherwise each would add the missing ones.
  if (isMissing) await withLock(app.pool, 'spare wallets', () => startGroups(app));
  const purposes = await listOpenPurposes(app.pool, now);
  const created = await mapAtOnce(GROUPS_AT_ONCE, purposes, (each) => finishGroup(app, each));
  return created.reduce((sum, count) => sum + count, 0);
}

/**
 * Sizes of the groups that are missing, and no more groups than can run at once. Wallets that are
 * taken meanwhile share the next group, instead of one group each.
 */
function groupsToStart(
  { config }: WalletStocker,
  { count, openGroups, isPaused }: Stock,
): number[] {
  const sizes: number[] = [];
  let missing = isPaused ? 0 : config.HOLDFAST_SPARE_WALLETS - count;
  while (missing > 0 && openGroups + sizes.length < GROUPS_AT_ONCE) {
    sizes.push(Math.min(missing, WALLETS_PER_ENVELOPE));
    missing -= WALLETS_PER_ENVELOPE;
  }
  return sizes;
}

function count({ pool, clock }: WalletStocker): Promise<Stock> {
  const now = clock.now();
  return countPooledWallets(pool, now, now - CLAIM_MS_MAX);
}

async function startGroups(app: WalletStocker): Promise<void> {
  const house = await listHouseWallets(app.pool);
  // Before the treasury has money it sponsors no account.
  const treasury = house.find(({ kind, trustedAt }) => kind === 'treasury' && trustedAt !== null);
  if (treasury === undefined || isStockingStopped(app)) return;
  const sizes = groupsToStart(app, await count(app));
  const missing = sizes.reduce((sum, size) => sum + size, 0);
  if (missing === 0) return;
  let left = await allowedWallets(app, treasury.address, missing);
  for (const wanted of sizes) {
    const size = Math.min(wanted, left);
    if (size === 0) return;
    left -= size;
    const wallets = await Promise.all(
      Array.from({ length: size }, () => app.signer.newWallet(newId('wal', app.clock.now()))),
    );
    await insertPooledWallets(app.pool, app.clock, newId('op', app.clock.now()), wallets);
    await recordStoredPositions(app.pool);
  }
}

async function finishGroup(app: WalletStocker, purpose: string): Promise<number> {
  const created = await withLock(app.pool, `spare wallets ${purpose}`, () =>
    withSponsors(app, purpose, async (sponsors) => {
      const group = await listKeyedPooledWallets(app.pool, purpose);
      // Another worker was faster.
      if (group.length === 0) return 0;
      const settled = await sponsorAccounts(app, systemCall(HOUSE), purpose, sponsors, group);
      if (settled.kind === 'done') return markPooledWalletsReady(app.pool, purpose);
      const { kind, reason } = settled;
      app.log.warn(
        { outcome: kind, reason, wallets: group.length },
        'pooled wallet creation failed',
      );
      const now = app.clock.now();
      await (kind === 'refused'
        ? postponePooledWallets(app.pool, purpose, 'REFUSED', now + PAUSE_REFUSED_MS)
        : postponePooledWallets(app.pool, purpose, 'KEYED', now + RETRY_UNKNOWN_MS));
      return 0;
    }),
  );
  return created ?? 0;
}
