//! Money as JSON numbers, which Surface B uses. The only place where a number becomes money.
import { refuseField } from '@holdfast/contract/validation';
import type { Currency } from '@holdfast/kernel/currency';
import { Money, minorText } from '@holdfast/kernel/money';

/**
 * Read by its shortest text, as the caller wrote it: 0.1 + 0.2 has seventeen digits and is refused,
 * like any other number with more than two decimals. Nothing is rounded.
 */
export function readNumber(name: string, number: number, currency: Currency): Money {
  const money = Number.isFinite(number) ? Money.read(String(number), currency) : undefined;
  const fault = `${name} must be a positive number with at most two decimals`;
  return money ?? refuseField(name, 'format', fault);
}

/** Exact: an account holds less than 2^53 cents before its text is read back the same. */
export function numberOf(minor: bigint): number {
  return Number(minorText(minor));
}
