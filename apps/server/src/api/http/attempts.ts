//! Limits on password attempts, right or wrong: per account and address, per address, and per
//! account. The last one binds unknown devices only, so that outsiders cannot lock an owner out.
import { refuse } from '@holdfast/contract/errors';
import type { Config } from '../../platform/config/config.ts';
import { emailKey } from '../../platform/email-key.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import type { PasswordLine, QueuePosition } from '../../platform/password.ts';
import { type Devices, knownDeviceOf, type SignInFlow } from './device-cookie.ts';
import { addressBucket, type Counter, rateLimitResult, WINDOW_SECONDS } from './rate-limit.ts';

export interface Attempts extends Devices {
  readonly counter: Counter;
  readonly config: Devices['config'] &
    Pick<Config, 'HOLDFAST_LOGIN_ATTEMPTS' | 'HOLDFAST_RATE_LIMIT'>;
}

export interface Attempt {
  readonly flow: SignInFlow;
  readonly email: string;
  readonly address: string;
  /** The header of the request. */
  readonly cookies?: string | undefined;
  /** A session of the account counts as a known device. */
  readonly session?: string;
}

/** From one address more accounts may be tried: a whole office can sit behind it. */
const PER_ADDRESS = 10;

const LINES: Readonly<Record<SignInFlow, { known: PasswordLine; unknown: PasswordLine }>> = {
  login: { known: 'known-member', unknown: 'member' },
  'sign-in': { known: 'known-operator', unknown: 'operator' },
};

/**
 * Runs before any hashing: a flood costs only a few counts per attempt. Returns the queue in which
 * the attempt waits for its hashing.
 */
export async function countAttempt(app: Attempts, attempt: Attempt): Promise<QueuePosition> {
  const { flow, email, address, cookies } = attempt;
  const device = attempt.session ?? knownDeviceOf(app, flow, email, cookies);
  const from = addressBucket(address);
  const emailHash = fingerprint(emailKey(email));
  const { HOLDFAST_LOGIN_ATTEMPTS: perAccount, HOLDFAST_RATE_LIMIT: limit } = app.config;
  if (limit !== 'off') {
    const bucket = `${flow}:${emailHash}`;
    await count(app, `${bucket}:${device ?? from}`, perAccount);
    await count(app, `${flow}:${from}`, perAccount * PER_ADDRESS);
    if (device === undefined) await count(app, bucket, perAccount);
  }
  if (device === undefined) return { line: LINES[flow].unknown, from };
  // By account: one person can collect the cookies of many devices.
  return { line: LINES[flow].known, from: `account:${emailHash}` };
}

/** As `countAttempt`, by address alone: only a valid token names an account. */
export async function countEnrollment(app: Attempts, address: string): Promise<QueuePosition> {
  const from = addressBucket(address);
  const { HOLDFAST_LOGIN_ATTEMPTS: perAccount, HOLDFAST_RATE_LIMIT: limit } = app.config;
  if (limit !== 'off') await count(app, `enrollment:${from}`, perAccount * PER_ADDRESS);
  return { line: LINES['sign-in'].unknown, from };
}

async function count({ counter, clock }: Attempts, bucket: string, limit: number): Promise<void> {
  const { allowed, retryAfter } = rateLimitResult(await counter.add(bucket), limit, clock.now());
  if (!allowed) refuse('RATE_LIMITED', { limit, windowSeconds: WINDOW_SECONDS, retryAfter });
}
