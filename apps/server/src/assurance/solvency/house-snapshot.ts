//! Reads the house's real balances: at the payment provider, and in its own wallets on the network.
import { listHouseWallets } from '../../accounts/custody/house-wallet.ts';
import { NO_MARKETPLACE, systemCall } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { stroopsOfMinor } from '../../providers/network/stroops.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { comparePage } from '../comparison/payment-pages.ts';
import type { Asset, HousePosition } from './house-position.ts';
import { ASSETS, readPosition } from './house-position.ts';
import { type AssetSnapshot, expectedAtProvider } from './solvency-terms.ts';

export interface HouseDeps extends Transactor {
  readonly network: LedgerNetwork;
  readonly payments: PaymentProvider | undefined;
}

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
  const { isReady, treasury, platform } = wallets.value;
  const of = (asset: Asset, paymentProvider: bigint | null): AssetSnapshot => ({
    paymentProvider,
    treasury: treasury[asset],
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

/**
 * XLM counts in the treasury only: the other wallets' XLM pays network fees and reserves, and is
 * never paid to users.
 */
async function fetchHoldings(
  app: HouseDeps,
): Promise<Outcome<{ isReady: boolean; treasury: Holdings; platform: Holdings }>> {
  const treasury: Holdings = { USDC: 0n, XLM: 0n };
  const platform: Holdings = { USDC: 0n, XLM: 0n };
  const wallets = await listHouseWallets(app.pool);
  const holders = wallets.filter(({ kind }) => kind !== 'channel');
  for (const { kind, address } of holders) {
    const found = await app.network.account(address);
    if (found.kind !== 'done') return found;
    const into = kind === 'treasury' ? treasury : platform;
    for (const { code, stroops } of found.value?.assets ?? [])
      if (code === 'USDC' || kind === 'treasury') into[code] += stroops;
  }
  const isReady = holders.length > 0 && holders.every(({ trustedAt }) => trustedAt !== null);
  return done({ isReady, treasury, platform });
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
  const { payments, pool, clock } = app;
  const seen = snapshot.USDC.paymentProvider;
  if (payments === undefined || seen === null) return done(0n);
  if (seen === expectedAtProvider(position.USDC)) return done(0n);
  const from = clock.now() - windowMs;
  let sum = 0n;
  for (const kind of ['payin', 'payout'] as const) {
    let after: string | null = null;
    do {
      const page = await comparePage({ payments, pool, clock }, kind, { after, from });
      if (page.kind !== 'done') return page;
      for (const { finding, driftMinor } of page.value.compared)
        if (finding.difference === undefined) sum += stroopsOfMinor(driftMinor);
      after = page.value.next;
    } while (after !== null);
  }
  return done(sum);
}

export function hasOpening(position: HousePosition): boolean {
  return ASSETS.every((asset) => position[asset].isOpened.ledger_network);
}
