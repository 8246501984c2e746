//! When a pay-out is looked at again: often while it is young, seldom when it waits for its
//! recipient for weeks.
import type { Instant } from '@holdfast/kernel/clock';
import type { Withdrawal } from './withdrawal.ts';

const WAIT_MS_MIN = 5_000;
const WAIT_MS_MAX = 3_600_000;
/** Of its age, one part in so many. */
const AGE_PARTS = 5;

export function nextLookAt(
  { committedAt, createdAt }: Pick<Withdrawal, 'committedAt' | 'createdAt'>,
  now: Instant,
): Instant {
  const age = now - (committedAt ?? createdAt);
  const wait = Math.floor(age / AGE_PARTS);
  return now + Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, wait));
}
