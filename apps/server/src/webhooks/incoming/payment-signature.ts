//! Verifies a Svix signature, which covers a message's id, its time and its raw body.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '@holdfast/kernel/clock';

/** The values of its three headers; undefined when one is missing. */
export interface SignedMessage {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly text: string;
}

const TOLERANCE_MS = 300_000n;
const VERSION = 'v1';

/** Accepts any valid signature by any of the secrets: both sides rotate theirs at times. */
export function isPaymentSigned(
  secrets: readonly string[],
  { id, timestamp, signature, text }: SignedMessage,
  now: Instant,
): boolean {
  if (id === undefined || timestamp === undefined || signature === undefined) return false;
  if (!isTimely(timestamp, now)) return false;
  const given = signature
    .split(' ')
    .map((each) => each.split(','))
    .flatMap(([version, mac]) => (version === VERSION && mac !== undefined ? [mac] : []))
    .map((mac) => Buffer.from(mac, 'base64'));
  return secrets.some((secret) => {
    const expected = createHmac('sha256', keyOf(secret))
      .update(`${id}.${timestamp}.${text}`, 'utf8')
      .digest();
    return given.some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected));
  });
}

/** An old message may be a replayed recording; one from the future would stay valid for as long. */
function isTimely(timestamp: string, now: Instant): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const apart = BigInt(timestamp) * 1000n - BigInt(now);
  return apart <= TOLERANCE_MS && apart >= -TOLERANCE_MS;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}
