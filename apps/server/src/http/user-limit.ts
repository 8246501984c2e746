//! Limits per user: how often a minute somebody may be topped up, or withdraw.
import { refuse } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../platform/call.ts';
import { type Counter, verdictOf, WINDOW_SECONDS } from './rate-limit.ts';

interface UserLimits {
  readonly clock: Clock;
  readonly counter: Counter;
}

/** What is counted for each user, under which name. */
export type Counted = 'topups' | 'withdrawals';

/**
 * Refuses when the user was named too often. The marketplace is part of the bucket: what others
 * ask for in somebody's name does not count against them.
 */
export async function countUser(
  { clock, counter }: UserLimits,
  { actor }: Call<TenantActor>,
  counted: Counted,
  userId: UserId,
  limit: number | 'off',
): Promise<void> {
  if (limit === 'off') return;
  const tally = await counter.add(`${counted}:${actor.marketplace}:${userId}`);
  const { allowed, retryAfter } = verdictOf(tally, limit, clock.now());
  if (!allowed) refuse('RATE_LIMITED', { limit, windowSeconds: WINDOW_SECONDS, retryAfter });
}
