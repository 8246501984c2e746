//! Whether an amount reaches the limit from which on a second person must agree.
import { unitsOf } from '#parts/decimal.ts';

export function isAtLeast(amount: string, limit: string): boolean {
  return unitsOf(amount) >= unitsOf(limit);
}
