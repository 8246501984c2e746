//! Parses the input for a new order, and reports all of its errors at once.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY, DEFAULT_FEE_RATE, ESCROW_CURRENCIES } from '@holdfast/contract/limits';
import { type FieldError, invalidRequest } from '@holdfast/contract/validation';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money, readRate } from '@holdfast/kernel/money';
import { checkLimits } from '../../accounts/books/amount-input.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import type { MilestoneTerms } from '../model/milestone.ts';
import type { OrderTerms } from '../model/order.ts';

export interface MilestoneInput {
  readonly ref: string;
  readonly title: string;
  readonly amount: string;
}

export interface OrderInput {
  readonly buyerId: UserId;
  readonly sellerId: UserId;
  readonly amount: string;
  readonly currency?: Currency;
  readonly title: string;
  readonly description?: string;
  readonly clientOrderRef?: string;
  readonly milestones?: readonly MilestoneInput[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ParsedOrder {
  readonly terms: OrderTerms;
  readonly milestones: readonly MilestoneTerms[];
}

/** Fixes rate and fee, so that later changes of either affect no order. */
export function readOrderInput(input: OrderInput, now: Instant): ParsedOrder {
  const { currency = BASE_CURRENCY, metadata = {} } = input;
  const problems: FieldError[] = [];
  if (input.buyerId === input.sellerId)
    add(problems, 'sellerId', 'conflict', 'sellerId must differ from buyerId');
  const amount = readAmount('amount', input.amount, currency, problems);
  const milestones = readMilestones(input.milestones ?? [], currency, now, problems);
  if (amount !== undefined) checkSum(milestones, amount, problems);
  const feeRate = readFeeRate(metadata, problems);
  if (problems.length > 0 || amount === undefined || feeRate === undefined)
    throw invalidRequest(problems);
  checkEscrowable(amount);
  const terms: OrderTerms = {
    id: newId('ord', now),
    buyerId: input.buyerId,
    sellerId: input.sellerId,
    amount,
    currency,
    fee: amount.feeAndNet(feeRate).fee,
    feeRate,
    title: input.title,
    description: input.description ?? null,
    clientOrderRef: input.clientOrderRef ?? null,
    metadata,
    createdAt: now,
  };
  return { terms, milestones };
}

/** Inputs with the same terms have the same hash, however their bodies spell them. */
export function orderRequestHash({ terms, milestones }: ParsedOrder): string {
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
  problems: FieldError[],
): Money | undefined {
  const amount = Money.read(text, currency);
  if (amount === undefined)
    add(
      problems,
      name,
      'format',
      `${name} must be a positive decimal string with at most two places`,
    );
  return amount;
}

function readMilestones(
  inputs: readonly MilestoneInput[],
  currency: Currency,
  now: Instant,
  problems: FieldError[],
): MilestoneTerms[] {
  const seen = new Set<string>();
  return inputs.flatMap(({ ref, title, amount: text }, at) => {
    if (seen.has(ref))
      add(problems, `milestones.${at}.ref`, 'unique', `milestones.${at}.ref must be unique`);
    seen.add(ref);
    const amount = readAmount(`milestones.${at}.amount`, text, currency, problems);
    return amount === undefined ? [] : [{ id: newId('mil', now), ref, title, amount }];
  });
}

function checkSum(
  milestones: readonly MilestoneTerms[],
  amount: Money,
  problems: FieldError[],
): void {
  if (milestones.length === 0) return;
  const sum = milestones.reduce((all, each) => all.plus(each.amount), Money.zero(amount.currency));
  if (!sum.equals(amount))
    add(problems, 'milestones', 'conflict', 'milestones must add up to amount');
}

/** A percentage, as a number or as decimal text. */
function readFeeRate(
  { platformFee = DEFAULT_FEE_RATE }: Readonly<Record<string, unknown>>,
  problems: FieldError[],
): bigint | undefined {
  const isGiven = typeof platformFee === 'number' || typeof platformFee === 'string';
  const rate = isGiven ? readRate(String(platformFee)) : undefined;
  if (rate === undefined)
    add(
      problems,
      'metadata.platformFee',
      'range',
      'metadata.platformFee must be 0 to 50 with at most two decimals',
    );
  return rate;
}

function add(
  problems: FieldError[],
  field: string,
  rule: FieldError['rule'],
  message: string,
): void {
  problems.push({ field, rule, message });
}

function checkEscrowable(amount: Money): void {
  const { currency } = amount;
  if (!ESCROW_CURRENCIES.some((each) => each === currency))
    refuse('CURRENCY_NOT_ESCROWABLE', { currency });
  checkLimits(amount, 'order');
}
