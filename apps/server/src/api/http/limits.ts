//! Sets the rate-limit headers of a response, and counts unauthenticated requests by address.
import { Refusal, refuse } from '@holdfast/contract/errors';
import type { Clock, Instant } from '@holdfast/kernel/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import {
  addressBucket,
  type Counter,
  type RateLimitResult,
  rateLimitResult,
  WINDOW_SECONDS,
} from './rate-limit.ts';

interface Limits {
  readonly config: Config;
  readonly clock: Clock;
  readonly counter: Counter;
}

/** Refuses when the address has made too many requests. */
export async function countAddress(
  { config, clock, counter }: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { HOLDFAST_RATE_LIMIT: limit } = config;
  if (limit === 'off') return;
  const tally = await counter.add(addressBucket(request.ip));
  const verdict = rateLimitResult(tally, limit, clock.now());
  setLimitHeaders(reply, verdict);
  if (!verdict.allowed) refuseOverLimit(reply, verdict);
}

/** For a request that is not counted. */
export function unlimited(limit: number, now: Instant): RateLimitResult {
  return rateLimitResult({ count: 0, resetAt: now + WINDOW_SECONDS * 1000 }, limit, now);
}

export function setLimitHeaders(reply: FastifyReply, verdict: RateLimitResult): void {
  reply.header('x-ratelimit-limit', verdict.limit);
  reply.header('x-ratelimit-remaining', verdict.remaining);
  reply.header('x-ratelimit-reset', verdict.resetAt);
}

/** For a request that was over another limit than ours. */
export function setRefusedLimit(reply: FastifyReply, error: Error, now: Instant): void {
  if (!(error instanceof Refusal) || error.code !== 'RATE_LIMITED') return;
  const { limit, retryAfter } = error.details as { limit: number; retryAfter: number };
  const resetAt = Math.ceil(now / 1000) + retryAfter;
  setLimitHeaders(reply, { allowed: false, limit, remaining: 0, resetAt, retryAfter });
}

export function refuseOverLimit(
  reply: FastifyReply,
  { limit, retryAfter }: RateLimitResult,
): never {
  reply.header('retry-after', retryAfter);
  return refuse('RATE_LIMITED', { limit, windowSeconds: WINDOW_SECONDS, retryAfter });
}
