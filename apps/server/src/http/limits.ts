//! How a request is told of its rate limit, and how one that proved nothing is counted.
import { refuse } from '@holdfast/contract/errors';
import type { Clock, Instant } from '@holdfast/kernel/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import {
  addressBucket,
  type Counter,
  type Verdict,
  verdictOf,
  WINDOW_SECONDS,
} from './rate-limit.ts';

interface Limits {
  readonly config: Config;
  readonly clock: Clock;
  readonly counter: Counter;
}

/** Refuses when the address has asked too often. */
export async function countAddress(
  { config, clock, counter }: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { HOLDFAST_RATE_LIMIT: limit } = config;
  if (limit === 'off') return;
  const tally = await counter.add(addressBucket(request.ip));
  const verdict = verdictOf(tally, limit, clock.now());
  tell(reply, verdict);
  if (!verdict.allowed) limited(reply, verdict);
}

/** Of a request that is not counted. */
export function unlimited(limit: number, now: Instant): Verdict {
  return verdictOf({ count: 0, resetAt: now + WINDOW_SECONDS * 1000 }, limit, now);
}

export function tell(reply: FastifyReply, verdict: Verdict): void {
  reply.header('x-ratelimit-limit', verdict.limit);
  reply.header('x-ratelimit-remaining', verdict.remaining);
  reply.header('x-ratelimit-reset', verdict.resetAt);
}

export function limited(reply: FastifyReply, { limit, retryAfter }: Verdict): never {
  reply.header('retry-after', retryAfter);
  return refuse('RATE_LIMITED', { limit, windowSeconds: WINDOW_SECONDS, retryAfter });
}
