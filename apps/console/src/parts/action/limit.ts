//! Whether an amount is above the approval limit, by the rule of the service.
import { isAboveLimit } from '@holdfast/contract/limits';
import { centsOf } from '#parts/money/cents.ts';

/** Without a limit nothing is above it. */
export function needsSecond(amount: string, limit: string | null): boolean {
  return isAboveLimit(centsOf(amount) ?? 0n, limit === null ? null : (centsOf(limit) ?? 0n));
}
