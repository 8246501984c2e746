//! The equation of solvency, pure: the assets, the liabilities, and the part of a difference that
//! is known to be in transit.
//!
//! All entries sum to zero. So the balances of users, escrows, fees and suspense equal the money
//! that came in through the provider and the network, plus credits by hand. The real assets are
//! that, plus the house's capital, less the fees of both providers and the debts of users. The
//! provider's side and the network's side are known separately.
import type { SOLVENCY_STATUSES } from '@holdfast/contract/enums';
import { absolute } from '../comparison/finding.ts';
import type { Asset, AssetPosition } from './house-position.ts';

export type SolvencyStatus = (typeof SOLVENCY_STATUSES)[number];

/** The balances read from the provider and the network. */
export interface AssetSnapshot {
  /** Null where there is no payment provider, or it does not hold this asset. */
  readonly paymentProvider: bigint | null;
  readonly treasury: bigint;
  /** The part of the treasury that no reserve of the network ties up. */
  readonly spendable: bigint;
  readonly platform: bigint;
  /**
   * The amount that the provider has moved and the books will move once the notification is
   * applied.
   */
  readonly inFlightAtProvider: bigint;
}

export interface SolvencyGroup {
  readonly asset: Asset;
  readonly liabilities: Readonly<Record<Liability, bigint>>;
  readonly assets: Readonly<Record<Holding, bigint>>;
  readonly difference: bigint;
  readonly atPaymentProvider: bigint;
  readonly inFlight: bigint;
  readonly tolerance: bigint;
  /** Of the treasury, beyond the reserves of the network. */
  readonly spendable: bigint;
  readonly status: SolvencyStatus;
}

export const LIABILITIES = [
  'users',
  'escrow',
  'fees',
  'suspense',
  'dust',
  'capital',
  'adjustmentsOwed',
  'writtenOff',
  'providerFees',
  'paymentFees',
  'debtsOwed',
  'total',
] as const;
export const HOLDINGS = [
  'paymentProvider',
  'treasury',
  'platform',
  'addresses',
  'contracts',
  'total',
] as const;
type Liability = (typeof LIABILITIES)[number];
type Holding = (typeof HOLDINGS)[number];

export function solvencyOf(
  asset: Asset,
  position: AssetPosition,
  fetched: AssetSnapshot,
  tolerance: bigint,
): SolvencyGroup {
  const liabilities = liabilitiesOf(position);
  const atProvider = expectedAtProvider(position);
  const assets = assetsOf(position, fetched, atProvider);
  const difference = assets.total - liabilities.total;
  const atPaymentProvider = assets.paymentProvider - atProvider;
  const onItsWay = fetched.inFlightAtProvider;
  const unexplained = atPaymentProvider - onItsWay;
  // A forged notification must not stop the payouts of others: its money cannot move.
  const isUnconfirmed = unexplained < 0n && -unexplained <= position.unconfirmed;
  const bound = position.moving + position.mirrored.moving;
  return {
    asset,
    liabilities,
    assets,
    difference,
    atPaymentProvider,
    inFlight: absolute(onItsWay) + bound,
    tolerance,
    spendable: fetched.spendable,
    status: statusOf({
      provider: isUnconfirmed ? 0n : unexplained,
      network: difference - atPaymentProvider,
      hasInFlight: onItsWay !== 0n || isUnconfirmed,
      bound,
      tolerance,
    }),
  };
}

function liabilitiesOf({ booked, mirrored, capital, providerFees }: AssetPosition) {
  const of = (kind: string) => booked[kind] ?? 0n;
  const owed = {
    users: of('user'),
    escrow: of('escrow'),
    fees: of('fee_income'),
    suspense: of('suspense'),
    dust: mirrored.dust,
    capital: capital.ledger_network + capital.payment_provider,
  };
  const lessened = {
    adjustmentsOwed: -of('adjustments'),
    writtenOff: -of('provider_fees') - of('treasury'),
    providerFees,
    paymentFees: -of('payment_fees'),
    debtsOwed: -of('debt'),
  };
  return { ...owed, ...lessened, total: sumOf(owed) - sumOf(lessened) };
}

/** The booked balance at the payment provider, in the clearing account's own sign. */
export function expectedAtProvider({ booked, capital }: AssetPosition): bigint {
  return capital.payment_provider - (booked['payment_clearing'] ?? 0n);
}

/** Contracts count as booked: the runs read each of them, but not every minute. */
function assetsOf({ booked, mirrored }: AssetPosition, fetched: AssetSnapshot, atProvider: bigint) {
  const there = {
    paymentProvider: fetched.paymentProvider ?? atProvider,
    treasury: fetched.treasury,
    platform: fetched.platform,
    addresses: mirrored.stroops - mirrored.lacking,
    contracts: booked['escrow'] ?? 0n,
  };
  return { ...there, total: sumOf(there) };
}

function sumOf(terms: Readonly<Record<string, bigint>>): bigint {
  return Object.values(terms).reduce((sum, term) => sum + term, 0n);
}

interface Sides {
  /** Beyond the amount in transit. */
  readonly provider: bigint;
  readonly network: bigint;
  readonly hasInFlight: boolean;
  /** The largest difference on the network's side that transfers in transit can cause. */
  readonly bound: bigint;
  readonly tolerance: bigint;
}

/**
 * Any external payer can send money to our addresses, so an excess on the network stops no payouts.
 * Only our records move the provider's balance: there an excess is as wrong as a lack.
 */
function statusOf({ provider, network, hasInFlight, bound, tolerance }: Sides): SolvencyStatus {
  const together = provider + network;
  if (absolute(together) <= tolerance) return hasInFlight ? 'UNSETTLED' : 'BALANCED';
  if (absolute(provider) > tolerance) return 'BREACH';
  if (absolute(network) <= bound + tolerance) return 'UNSETTLED';
  return network < 0n ? 'BREACH' : 'SURPLUS';
}

const WORST: readonly SolvencyStatus[] = ['BALANCED', 'UNSETTLED', 'SURPLUS', 'BREACH'];

export function worstOf(statuses: readonly SolvencyStatus[]): SolvencyStatus {
  return statuses.reduce<SolvencyStatus>(
    (worst, each) => (WORST.indexOf(each) > WORST.indexOf(worst) ? each : worst),
    'BALANCED',
  );
}

/**
 * The books were read before and after the balances. A booking in between is in only one of the two
 * readings, so a difference counts only when both show it.
 */
export function betterOf(before: SolvencyGroup, after: SolvencyGroup): SolvencyGroup {
  const isBefore = absolute(before.difference) <= absolute(after.difference);
  const better = isBefore ? before : after;
  const hasTurned = before.difference < 0n !== after.difference < 0n;
  const isWrong = better.status === 'BREACH' || better.status === 'SURPLUS';
  return isWrong && hasTurned ? { ...better, status: 'UNSETTLED' } : better;
}

/** The capital that the house must have put in for the equation to hold now. */
export function openingOf(
  position: AssetPosition,
  fetched: AssetSnapshot,
): { readonly ledgerNetwork: bigint; readonly paymentProvider: bigint } {
  const { booked, mirrored, providerFees } = position;
  const paymentProvider = (fetched.paymentProvider ?? 0n) + (booked['payment_clearing'] ?? 0n);
  const there = fetched.treasury + fetched.platform + mirrored.stroops + (booked['escrow'] ?? 0n);
  const came = -(booked['network_clearing'] ?? 0n) + mirrored.dust - providerFees;
  return { paymentProvider, ledgerNetwork: there - came };
}
