//! Reads what a caller wants an order to be, and says everything that is wrong with it.
import { refuse } from '@holdfast/contract/errors';
import {
  AMOUNT_LIMITS,
  BASE_CURRENCY,
  DEFAULT_FEE_RATE,
  ESCROW_CURRENCIES,
} from '@holdfast/contract/limits';
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money, readRate } from '@holdfast/kernel/money';
import { fingerprint } from '../platform/fingerprint.ts';
import type { MilestoneTerms } from './milestone.ts';
import type { OrderTerms } from './order.ts';

export interface MilestoneWish {
  readonly ref: string;
  readonly title: string;
  readonly amount: string;
}

export interface OrderWish {
  readonly buyerId: UserId;
  readonly sellerId: UserId;
  readonly amount: string;
  readonly currency?: Currency;
  readonly title: string;
  readonly description?: string;
  readonly clientOrderRef?: string;
  readonly milestones?: readonly MilestoneWish[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ReadOrder {
  readonly terms: OrderTerms;
  readonly milestones: readonly MilestoneTerms[];
}

/** Fixes rate and fee: a change of either later changes no order. */
export function readOrderWish(wish: OrderWish, now: Instant): ReadOrder {
  const { currency = BASE_CURRENCY, metadata = {} } = wish;
  const faults: string[] = [];
  if (wish.buyerId === wish.sellerId) faults.push('buyerId and sellerId must differ');
  const amount = readAmount('amount', wish.amount, currency, faults);
  const milestones = readMilestones(wish.milestones ?? [], currency, faults);
  if (amount !== undefined) checkSum(milestones, amount, faults);
  const feeRate = readFeeRate(metadata, faults);
  if (faults.length > 0 || amount === undefined || feeRate === undefined)
    return refuse('VALIDATION_ERROR', { validationErrors: faults });
  checkEscrowable(amount);
  const terms: OrderTerms = {
    id: newId('ord'),
    buyerId: wish.buyerId,
    sellerId: wish.sellerId,
    amount,
    currency,
    fee: amount.lessFee(feeRate).fee,
    feeRate,
    title: wish.title,
    description: wish.description ?? null,
    clientOrderRef: wish.clientOrderRef ?? null,
    metadata,
    createdAt: now,
  };
  return { terms, milestones };
}

/** Two orders that ask for the same are the same, however their bodies spell it. */
export function wishHash({ terms, milestones }: ReadOrder): string {
  const { buyerId, sellerId, amount, currency, title, description, metadata } = terms;
  const parts = milestones.map((each) => [each.ref, each.title, each.amount.text]);
  return fingerprint(
    JSON.stringify(
      [buyerId, sellerId, amount.text, currency, title, description, parts, metadata],
      sortedKeys,
    ),
  );
}

function sortedKeys(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function readAmount(
  name: string,
  text: string,
  currency: Currency,
  faults: string[],
): Money | undefined {
  const amount = Money.read(text, currency);
  if (amount === undefined)
    faults.push(`${name} must be a positive decimal string with at most two places`);
  return amount;
}

function readMilestones(
  wishes: readonly MilestoneWish[],
  currency: Currency,
  faults: string[],
): MilestoneTerms[] {
  const seen = new Set<string>();
  return wishes.flatMap(({ ref, title, amount: text }, at) => {
    if (seen.has(ref)) faults.push(`milestones/${at}/ref must not repeat another`);
    seen.add(ref);
    const amount = readAmount(`milestones/${at}/amount`, text, currency, faults);
    return amount === undefined ? [] : [{ id: newId('mil'), ref, title, amount }];
  });
}

function checkSum(milestones: readonly MilestoneTerms[], amount: Money, faults: string[]): void {
  if (milestones.length === 0) return;
  const sum = milestones.reduce((all, each) => all.plus(each.amount), Money.zero(amount.currency));
  if (!sum.equals(amount)) faults.push('milestones must sum to the amount');
}

/** A percentage, as a number or as decimal text. */
function readFeeRate(
  { platformFee = DEFAULT_FEE_RATE }: Readonly<Record<string, unknown>>,
  faults: string[],
): bigint | undefined {
  const isGiven = typeof platformFee === 'number' || typeof platformFee === 'string';
  const rate = isGiven ? readRate(String(platformFee)) : undefined;
  if (rate === undefined)
    faults.push('metadata/platformFee must be 0 to 50 with at most two decimals');
  return rate;
}

function checkEscrowable(amount: Money): void {
  const { currency } = amount;
  if (!ESCROW_CURRENCIES.some((each) => each === currency))
    refuse('CURRENCY_NOT_ESCROWABLE', { currency });
  const minimum = Money.read(AMOUNT_LIMITS.order.minimum, currency);
  const maximum = Money.read(AMOUNT_LIMITS.order.maximum, currency);
  assert(minimum !== undefined && maximum !== undefined, 'the published limits are amounts');
  if (amount.isLessThan(minimum) || maximum.isLessThan(amount))
    refuse('AMOUNT_OUT_OF_RANGE', {
      requested: amount.text,
      minimum: minimum.text,
      maximum: maximum.text,
      currency,
    });
}
