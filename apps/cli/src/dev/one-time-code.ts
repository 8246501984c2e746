//! The code that an authenticator shows for a secret (RFC 6238): six digits, SHA-1, 30 seconds.
import { createHmac } from 'node:crypto';

export interface OneTimeCode {
  readonly code: string;
  readonly validSeconds: number;
}

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function oneTimeCode(secret: string, now: number): OneTimeCode {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP_MS)));
  const mac = createHmac('sha1', unbase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const value = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return {
    code: String(value % 1_000_000).padStart(6, '0'),
    validSeconds: Math.ceil((STEP_MS - (now % STEP_MS)) / 1000),
  };
}

function unbase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
