//! The equation of solvency, pure: what is there, what is owed, and what of a difference is known
//! to be on its way.
//!
//! Everything ever booked sums to zero, so what users, escrows, fees and suspense have is what came
//! in through the payment provider and the network, and what marketplaces credited by hand. What is
//! really there is that, and the capital of the house, less what the escrow provider kept of
//! contracts. The two sides are known apart: the provider's, and the network's.
import type { SOLVENCY_STATUSES } from '@holdfast/contract/words';
import { absolute } from './finding.ts';
import type { Asset, AssetPosition } from './house-position.ts';

export type SolvencyStatus = (typeof SOLVENCY_STATUSES)[number];

/** What was read outside. */
export interface Sighted {
  /** Null where there is no payment provider, or it does not hold this asset. */
  readonly paymentProvider: bigint | null;
  readonly treasury: bigint;
  readonly platform: bigint;
  /** What the provider has moved and the books will, as soon as the notice is applied. */
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
  sighted: Sighted,
  tolerance: bigint,
): SolvencyGroup {
  const liabilities = liabilitiesOf(position);
  const atProvider = expectedAtProvider(position);
  const assets = assetsOf(position, sighted, atProvider);
  const difference = assets.total - liabilities.total;
  const atPaymentProvider = assets.paymentProvider - atProvider;
  const onItsWay = sighted.inFlightAtProvider;
  const bound = position.moving + position.mirrored.moving;
  return {
    asset,
    liabilities,
    assets,
    difference,
    atPaymentProvider,
    inFlight: absolute(onItsWay) + bound,
    tolerance,
    status: statusOf({
      provider: atPaymentProvider - onItsWay,
      network: difference - atPaymentProvider,
      hasInFlight: onItsWay !== 0n,
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
  };
  return { ...owed, ...lessened, total: sumOf(owed) - sumOf(lessened) };
}

/** What the books say that the payment provider holds, in the clearing account's own sign. */
export function expectedAtProvider({ booked, capital }: AssetPosition): bigint {
  return capital.payment_provider - (booked['payment_clearing'] ?? 0n);
}

/** Contracts count as the books have them: each is read by the runs, none of them every minute. */
function assetsOf({ booked, mirrored }: AssetPosition, sighted: Sighted, atProvider: bigint) {
  const there = {
    paymentProvider: sighted.paymentProvider ?? atProvider,
    treasury: sighted.treasury,
    platform: sighted.platform,
    addresses: mirrored.stroops - mirrored.lacking,
    contracts: booked['escrow'] ?? 0n,
  };
  return { ...there, total: sumOf(there) };
}

function sumOf(terms: Readonly<Record<string, bigint>>): bigint {
  return Object.values(terms).reduce((sum, term) => sum + term, 0n);
}

interface Sides {
  /** Beyond what is on its way. */
  readonly provider: bigint;
  readonly network: bigint;
  readonly hasInFlight: boolean;
  /** The most that transfers under way can make the network's side differ by. */
  readonly bound: bigint;
  readonly tolerance: bigint;
}

/**
 * Anybody can send money to an address of ours, so more than there should be on the network stops
 * nobody's payouts. The provider's balance is moved by our records alone: there more is as wrong as
 * less.
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
 * The books were read before and after the outside was. What was booked in between stands in one of
 * the two: the truth lies between them, so a difference counts only when both show it.
 */
export function betterOf(before: SolvencyGroup, after: SolvencyGroup): SolvencyGroup {
  const isBefore = absolute(before.difference) <= absolute(after.difference);
  const better = isBefore ? before : after;
  const hasTurned = before.difference < 0n !== after.difference < 0n;
  const isWrong = better.status === 'BREACH' || better.status === 'SURPLUS';
  return isWrong && hasTurned ? { ...better, status: 'UNSETTLED' } : better;
}

/** What the house must have put in for the equation to hold as things are now. */
export function openingOf(
  position: AssetPosition,
  sighted: Sighted,
): { readonly ledgerNetwork: bigint; readonly paymentProvider: bigint } {
  const { booked, mirrored, providerFees } = position;
  const paymentProvider = (sighted.paymentProvider ?? 0n) + (booked['payment_clearing'] ?? 0n);
  const there = sighted.treasury + sighted.platform + mirrored.stroops + (booked['escrow'] ?? 0n);
  const came = -(booked['network_clearing'] ?? 0n) + mirrored.dust - providerFees;
  return { paymentProvider, ledgerNetwork: there - came };
}
