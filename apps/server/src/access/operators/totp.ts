//! Codes that change every thirty seconds (RFC 6238): six digits, HMAC-SHA-1, as authenticator apps
//! compute them.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeBase32 } from '@holdfast/kernel/base32';
import type { Instant } from '@holdfast/kernel/clock';
import { randomBytes } from '@holdfast/kernel/random';

const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks differ, so the previous and the next code are accepted too. */
const STEPS_AROUND = 1;

export function newTotpSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

/** The step that the code belongs to, or undefined when it belongs to none near the present. */
export function totpStepOf(secret: Uint8Array, code: string, now: Instant): number | undefined {
  const current = Math.floor(now / STEP_MS);
  let found: number | undefined;
  // Each is computed and compared: a wrong code takes as long as a right one.
  for (let step = current - STEPS_AROUND; step <= current + STEPS_AROUND; step += 1) {
    if (isEqual(codeOf(secret, step), code)) found = step;
  }
  return found;
}

export function totpCode(secret: Uint8Array, now: Instant): string {
  return codeOf(secret, Math.floor(now / STEP_MS));
}

function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const value = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0');
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The form that an authenticator reads from a QR code. */
export function totpUri(secret: Uint8Array, email: string): string {
  const label = encodeURIComponent(`Holdfast:${email}`);
  return `otpauth://totp/${label}?secret=${encodeBase32(secret)}&issuer=Holdfast&digits=${DIGITS}&period=30`;
}
