//! Limits per user: top-ups and withdrawals per minute.
import { refuse } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { type Counter, rateLimitResult, WINDOW_SECONDS } from './rate-limit.ts';

interface UserLimits {
  readonly clock: Clock;
  readonly counter: Counter;
}

/** The counted operations, with the bucket name of each. */
export type Counted = 'topups' | 'withdrawals';

/**
 * Refuses when the user was named too often. The marketplace is part of the bucket: requests of
 * another marketplace do not count against its users.
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
  const { allowed, retryAfter } = rateLimitResult(tally, limit, clock.now());
  if (!allowed) refuse('RATE_LIMITED', { limit, windowSeconds: WINDOW_SECONDS, retryAfter });
}
