//! Keeps finished wallets in stock, which users take as they are created: a background job.
//!
//! Seeds are sealed and written before anything is built; the signed envelope is written before it
//! is sent. Whatever dies in between, the next run finds the same envelope and goes on from there.
import { newId } from '@holdfast/kernel/ids';
import { systemCall } from '../platform/call.ts';
import { turnstile } from '../platform/turnstile.ts';
import { HOUSE, listHouseWallets } from './house-wallet.ts';
import {
  countSpareWallets,
  forgetRefusedSpareWallets,
  giveBackOldClaims,
  insertSpareWallets,
  listKeyedSpareWallets,
  listOpenPurposes,
  postponeSpareWallets,
  readySpareWallets,
  type Stock,
} from './spare-wallet.ts';
import {
  type Sponsor,
  sponsorAccounts,
  WALLETS_PER_ENVELOPE,
  withSponsors,
} from './sponsor-accounts.ts';
import { withLock } from './wallet-lock.ts';

export interface WalletStocker extends Sponsor {
  readonly config: { readonly HOLDFAST_SPARE_WALLETS: number };
}

/** Half of the channels: those who wait for a wallet of their own need the others. */
const GROUPS_AT_ONCE = 2;
/** Far longer than any request takes. */
const CLAIM_MS_MAX = 300_000;
const RETRY_UNKNOWN_MS = 1000;
const PAUSE_REFUSED_MS = 30_000;

export async function stockWallets(app: WalletStocker): Promise<number> {
  const now = app.clock.now();
  const stock = await count(app);
  if (stock.hasLeftovers) {
    await giveBackOldClaims(app.pool, now - CLAIM_MS_MAX);
    await forgetRefusedSpareWallets(app.pool, now);
  }
  const isMissing = stock.hasLeftovers || groupsToBegin(app, stock).length > 0;
  // What runs ten times a second ends here nearly always.
  if (!isMissing && stock.openGroups === 0) return 0;
  // One worker at a time counts and adds; otherwise each would add what is missing.
  if (isMissing) await withLock(app.pool, 'spare wallets', () => beginGroups(app));
  const gate = turnstile(GROUPS_AT_ONCE);
  const purposes = await listOpenPurposes(app.pool, now);
  const made = await Promise.all(
    purposes.map((purpose) => gate.pass(() => finishGroup(app, purpose))),
  );
  return made.reduce((sum, count) => sum + count, 0);
}

/**
 * Sizes of the groups that are missing. No more of them than can be on their way at once: what is
 * taken meanwhile comes together into the next, instead of going one by one.
 */
function groupsToBegin(
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
  return countSpareWallets(pool, now, now - CLAIM_MS_MAX);
}

async function beginGroups(app: WalletStocker): Promise<void> {
  const house = await listHouseWallets(app.pool);
  // Before the treasury has money it sponsors nobody.
  if (!house.some(({ kind, trustedAt }) => kind === 'treasury' && trustedAt !== null)) return;
  for (const size of groupsToBegin(app, await count(app))) {
    const wallets = await Promise.all(
      Array.from({ length: size }, () => app.signer.newWallet(newId('wal'))),
    );
    await insertSpareWallets(app.pool, app.clock, newId('op'), wallets);
  }
}

async function finishGroup(app: WalletStocker, purpose: string): Promise<number> {
  const made = await withLock(app.pool, `spare wallets ${purpose}`, () =>
    withSponsors(app, purpose, async (sponsors) => {
      const group = await listKeyedSpareWallets(app.pool, purpose);
      // Another worker was faster.
      if (group.length === 0) return 0;
      const settled = await sponsorAccounts(app, systemCall(HOUSE), purpose, sponsors, group);
      if (settled.kind === 'done') return readySpareWallets(app.pool, purpose);
      const { kind, reason } = settled;
      app.log.warn({ outcome: kind, reason, wallets: group.length }, 'stock wallets');
      const now = app.clock.now();
      await (kind === 'refused'
        ? postponeSpareWallets(app.pool, purpose, 'REFUSED', now + PAUSE_REFUSED_MS)
        : postponeSpareWallets(app.pool, purpose, 'KEYED', now + RETRY_UNKNOWN_MS));
      return 0;
    }),
  );
  return made ?? 0;
}
