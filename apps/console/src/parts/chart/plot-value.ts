//! The height of an amount in a picture. No displayed figure comes from here.
import { centsOf } from '#parts/money/cents.ts';

/** In whole units of the currency: a line of pixels shows no cents. */
export function plotValue(amount: string): number {
  return plotNumber((centsOf(amount) ?? 0n) / 100n);
}

/** A share or a count for a slider, a bar or a band. */
export function plotNumber(whole: bigint): number {
  return Number(whole);
}
