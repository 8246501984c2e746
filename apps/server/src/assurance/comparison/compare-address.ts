//! Compares an address's balance with the balance that our books require. Pure.
//!
//! The mirror follows the books some seconds later. So an address is right when it holds the booked
//! amount, and in transit when it holds the mirror's last known amount.
import type { Currency } from '@holdfast/kernel/currency';
import { minorOf, stroopsText } from '../../providers/network/stroops.ts';
import { agreed, type Difference, type Finding, found } from './finding.ts';

export interface AddressState {
  readonly userId: string;
  readonly address: string;
  readonly currency: Extract<Currency, 'USDC' | 'XLM'>;
  /** The booked amount, in stroops. */
  readonly booked: bigint;
  /** Received, and too little to be booked. */
  readonly dust: bigint;
  /** The mirror's last known amount there. */
  readonly mirrored: bigint;
  /** An order or a withdrawal of the user is moving money on the network. */
  readonly isMoving: boolean;
  /** The balance on the network. */
  readonly actual: bigint;
}

/** A payment by an external payer without a deposit record of ours. */
export interface UnbookedPayment {
  readonly operationId: string;
  readonly part: number;
  readonly from: string;
  readonly hash: string;
  readonly stroops: bigint;
  readonly at: number;
}

/** False when the payments of the address have to be read. */
export function isExplained(state: AddressState): boolean {
  const { booked, dust, mirrored, isMoving, actual } = state;
  return isMoving || actual === booked + dust || actual === mirrored;
}

/** One finding for the address, one for each unbooked payment, one for its dust. */
export function compareAddress(
  state: AddressState,
  unbooked: readonly UnbookedPayment[],
): Finding[] {
  const { booked, dust, actual, currency } = state;
  const findings = dust === 0n ? [] : [found(dustOf(state, dust))];
  if (actual === booked + dust) return [agreed('matched', currency, actual), ...findings];
  if (isExplained(state)) return [agreed('inFlight', currency, actual), ...findings];
  const payments = unbooked.map((payment) => found(unbookedOf(state, payment)));
  const rest = actual - booked - dust - sumOf(unbooked);
  if (rest === 0n) return [...payments, ...findings];
  // Less than a cent cannot be booked: it is dust that is not recorded yet.
  if (minorOf(rest).minor === 0n && dust === 0n) return [...payments, found(dustOf(state, rest))];
  return [...payments, found(differenceOf(state, rest)), ...findings];
}

function sumOf(payments: readonly UnbookedPayment[]): bigint {
  return payments.reduce((sum, { stroops }) => sum + stroops, 0n);
}

function unbookedOf(state: AddressState, payment: UnbookedPayment): Difference {
  const { userId, address, currency } = state;
  const { operationId, part, from, hash, stroops, at } = payment;
  return {
    key: `payment:${operationId}:${part}`,
    cause: 'LEDGER_PAYMENT_UNBOOKED',
    currency,
    stroops,
    clearing: null,
    resourceType: 'User',
    resourceId: userId,
    ours: null,
    theirs: { operationId, hash, from, to: address, amount: stroopsText(stroops) },
    recordAt: at,
  };
}

function dustOf(state: AddressState, stroops: bigint): Difference {
  return { ...aboutAddress(state, 'dust', stroops), cause: 'DUST' };
}

function differenceOf(state: AddressState, stroops: bigint): Difference {
  return { ...aboutAddress(state, 'address', stroops), cause: 'ADDRESS_DIFFERENCE' };
}

function aboutAddress(state: AddressState, name: string, stroops: bigint) {
  const { userId, address, currency, booked, dust, mirrored, actual } = state;
  return {
    key: `${name}:${address}:${currency}`,
    currency,
    stroops,
    clearing: null,
    resourceType: 'User',
    resourceId: userId,
    ours: {
      booked: stroopsText(booked),
      dust: stroopsText(dust),
      mirrored: stroopsText(mirrored),
    },
    theirs: { address, holds: stroopsText(actual) },
    recordAt: null,
  };
}
