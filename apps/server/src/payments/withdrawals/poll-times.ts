//! When a payout is polled again: often while it is young, rarely when it waits weeks for its
//! recipient.
import type { Instant } from '@holdfast/kernel/clock';
import type { Withdrawal } from './withdrawal.ts';

const WAIT_MS_MIN = 5_000;
const WAIT_MS_MAX = 3_600_000;
/** The wait is this fraction of the age. */
const AGE_DIVISOR = 5;

export function nextPollAt(
  { committedAt, createdAt }: Pick<Withdrawal, 'committedAt' | 'createdAt'>,
  now: Instant,
): Instant {
  const age = now - (committedAt ?? createdAt);
  const wait = Math.floor(age / AGE_DIVISOR);
  return now + Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, wait));
}
