//! Reads the house's real balances: at the payment provider, and in its own wallets on the network.
import type { Instant } from '@holdfast/kernel/clock';
import { listHouseWallets } from '../../accounts/custody/house-wallet.ts';
import { NO_MARKETPLACE, systemCall } from '../../platform/call.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { stroopsOfMinor } from '../../providers/network/stroops.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { type ComparedPayment, comparePage } from '../comparison/payment-pages.ts';
import { recheckPayment } from '../comparison/recheck-payment.ts';
import type { Asset, HousePosition } from './house-position.ts';
import { ASSETS, readPosition } from './house-position.ts';
import { type AssetSnapshot, expectedAtProvider } from './solvency-terms.ts';

export interface HouseDeps extends Transactor {
  readonly network: LedgerNetwork;
  readonly payments: PaymentProvider | undefined;
}

/** The time within which a bank takes a payment back. */
const REVERSED_WITHIN_MS = 180 * 86_400_000;

/** The house belongs to no marketplace. */
export const HOUSE = NO_MARKETPLACE;

export type HouseSnapshot = Readonly<Record<Asset, AssetSnapshot>> & {
  /** All wallets of the house exist and can hold USDC. */
  readonly isReady: boolean;
};

export function readHousePosition(app: Transactor): Promise<HousePosition> {
  return read(app, systemCall(HOUSE), readPosition);
}

/** Always read afresh: these few wallets are fetched directly. */
export async function fetchHouseSnapshot(app: HouseDeps): Promise<Outcome<HouseSnapshot>> {
  const balance = await app.payments?.balance();
  if (balance !== undefined && balance.kind !== 'done') return unknown(balance.reason);
  // An amount that was sent and has not arrived is still ours in the books.
  const minor = balance && balance.value.availableMinor + balance.value.pendingMinor;
  const wallets = await fetchHoldings(app);
  if (wallets.kind !== 'done') return wallets;
  const { isReady, treasury, platform, spendable } = wallets.value;
  const of = (asset: Asset, paymentProvider: bigint | null): AssetSnapshot => ({
    paymentProvider,
    treasury: treasury[asset],
    spendable: spendable[asset],
    platform: platform[asset],
    inFlightAtProvider: 0n,
  });
  return done({
    isReady,
    USDC: of('USDC', minor === undefined ? null : stroopsOfMinor(minor)),
    XLM: of('XLM', null),
  });
}

type Holdings = Record<Asset, bigint>;

interface HouseHoldings {
  readonly isReady: boolean;
  readonly treasury: Holdings;
  /** The treasury's, less what the network's reserves tie up. */
  readonly spendable: Holdings;
  readonly platform: Holdings;
}

/**
 * XLM counts in the treasury only: the other wallets' XLM pays network fees and reserves, and is
 * never paid to users.
 */
async function fetchHoldings(app: HouseDeps): Promise<Outcome<HouseHoldings>> {
  const treasury: Holdings = { USDC: 0n, XLM: 0n };
  const platform: Holdings = { USDC: 0n, XLM: 0n };
  let spendableXlm = 0n;
  const wallets = await listHouseWallets(app.pool);
  const holders = wallets.filter(({ kind }) => kind !== 'channel');
  for (const { kind, address } of holders) {
    const found = await app.network.account(address);
    if (found.kind !== 'done') return found;
    if (kind === 'treasury') spendableXlm += found.value?.spendableXlm ?? 0n;
    const into = kind === 'treasury' ? treasury : platform;
    for (const { code, stroops } of found.value?.assets ?? [])
      if (code === 'USDC' || kind === 'treasury') into[code] += stroops;
  }
  const isReady = holders.length > 0 && holders.every(({ trustedAt }) => trustedAt !== null);
  const spendable = { USDC: treasury.USDC, XLM: spendableXlm };
  return done({ isReady, treasury, spendable, platform });
}

/**
 * The amount that the provider has moved and our books will move once its notification is applied.
 * It is exact, by comparing the provider's lists with ours. Used only where the balance differs.
 */
export async function fetchInFlight(
  app: HouseDeps,
  position: HousePosition,
  snapshot: HouseSnapshot,
  windowMs: number,
): Promise<Outcome<bigint>> {
  const { payments, clock } = app;
  const seen = snapshot.USDC.paymentProvider;
  if (payments === undefined || seen === null) return done(0n);
  if (seen === expectedAtProvider(position.USDC)) return done(0n);
  const unexplained = seen - expectedAtProvider(position.USDC);
  const deps = { ...app, payments };
  const recent = await compareLists(deps, clock.now() - windowMs);
  if (recent.kind !== 'done' || recent.value.drift === unexplained)
    return recent.kind === 'done' ? done(recent.value.inFlight) : recent;
  // A bank takes a payment back after months too.
  const all = await compareLists(deps, clock.now() - Math.max(windowMs, REVERSED_WITHIN_MS));
  return all.kind === 'done' ? done(all.value.inFlight) : all;
}

interface Drift {
  /** In stroops: what the provider has moved and our books have not. */
  readonly drift: bigint;
  /** The part of it that a notification or a poll will settle. */
  readonly inFlight: bigint;
}

/** Compares the provider's lists with ours. A record that differs is read again soon. */
async function compareLists(
  app: HouseDeps & { readonly payments: PaymentProvider },
  from: Instant,
): Promise<Outcome<Drift>> {
  let [drift, inFlight] = [0n, 0n];
  for (const kind of ['payin', 'payout'] as const) {
    let after: string | null = null;
    do {
      const page = await comparePage(app, kind, { after, from });
      if (page.kind !== 'done') return page;
      for (const each of page.value.compared) {
        if (each.driftMinor === 0n) continue;
        drift += stroopsOfMinor(each.driftMinor);
        if (each.finding.difference === undefined) inFlight += stroopsOfMinor(each.driftMinor);
        await recheck(app, each);
      }
      after = page.value.next;
    } while (after !== null);
  }
  return done({ drift, inFlight });
}

async function recheck(app: HouseDeps, { owner, code }: ComparedPayment): Promise<void> {
  if (owner !== null && code !== null)
    await transact(app, systemCall(owner), (tx) => recheckPayment(tx, code), 'read committed');
}

export function hasOpening(position: HousePosition): boolean {
  return ASSETS.every((asset) => position[asset].isOpened.ledger_network);
}
