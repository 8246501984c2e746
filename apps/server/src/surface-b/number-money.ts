//! Money as a JSON number: Surface B's wire has no other. The only place where one becomes money.
import { refuse } from '@holdfast/contract/errors';
import type { Currency } from '@holdfast/kernel/currency';
import { Money, minorText } from '@holdfast/kernel/money';

/**
 * By its shortest text, which is what the caller wrote: 0.1 + 0.2 has seventeen digits and is
 * refused, as is everything else with more than two decimals. Nothing is rounded.
 */
export function readNumber(name: string, number: number, currency: Currency): Money {
  const money = Number.isFinite(number) ? Money.read(String(number), currency) : undefined;
  const fault = `${name} must be a positive number with at most two decimals`;
  return money ?? refuse('VALIDATION_ERROR', { validationErrors: [fault] });
}

/** Exact: an account holds less than 2^53 cents before its text is read back the same. */
export function numberOf(minor: bigint): number {
  return Number(minorText(minor));
}
