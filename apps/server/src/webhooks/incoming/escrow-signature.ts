//! Verifies that a body was signed with a secret shared by its sender and us.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Hex of the HMAC-SHA256 over the raw body. Compared in constant time. */
export function isSigned(secret: string, text: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const expected = createHmac('sha256', secret).update(text, 'utf8').digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
