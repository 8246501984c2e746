//! Limits on password attempts: per account and per address, right or wrong.
import { refuse } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import type { Config } from '../../platform/config/config.ts';
import { emailKey } from '../../platform/email-key.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import { addressBucket, type Counter, rateLimitResult, WINDOW_SECONDS } from './rate-limit.ts';

export interface Attempts {
  readonly counter: Counter;
  readonly clock: Clock;
  readonly config: Pick<Config, 'HOLDFAST_LOGIN_ATTEMPTS' | 'HOLDFAST_RATE_LIMIT'>;
}

/** From one address more accounts may be tried: a whole office can sit behind it. */
const PER_ADDRESS = 10;

/** Runs before any hashing: a flood costs only one count per attempt. */
export async function countAttempt(
  app: Attempts,
  flow: 'login' | 'sign-in',
  email: string,
  address: string,
): Promise<void> {
  const { HOLDFAST_LOGIN_ATTEMPTS: perAccount, HOLDFAST_RATE_LIMIT: limit } = app.config;
  if (limit === 'off') return;
  await count(app, `${flow}:${fingerprint(emailKey(email))}`, perAccount);
  await count(app, `${flow}:${addressBucket(address)}`, perAccount * PER_ADDRESS);
}

async function count({ counter, clock }: Attempts, bucket: string, limit: number): Promise<void> {
  const { allowed, retryAfter } = rateLimitResult(await counter.add(bucket), limit, clock.now());
  if (!allowed) refuse('RATE_LIMITED', { limit, windowSeconds: WINDOW_SECONDS, retryAfter });
}
