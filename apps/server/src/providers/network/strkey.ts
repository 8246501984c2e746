//! Addresses of the network as text: base 32 with a checksum, without the network's own library,
//! so that the api process can check and create an address.
import { decodeBase32, encodeBase32 } from '@holdfast/kernel/base32';

/** The first byte is the kind of a text: G… an account, C… a contract, S… a secret seed. */
const VERSION_BYTES = { account: 6 << 3, contract: 2 << 3, seed: 18 << 3 } as const;

export type StrKeyKind = keyof typeof VERSION_BYTES;

const KEY_BYTES = 32;
/** One version byte, the key, two bytes of checksum: 35 bytes are exactly 56 characters. */
const TEXT = /^[A-Z2-7]{56}$/;

export function encodeStrKey(kind: StrKeyKind, key: Uint8Array): string {
  if (key.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes`);
  const body = Buffer.concat([Buffer.of(VERSION_BYTES[kind]), key]);
  const sum = checksum(body);
  const text = encodeBase32(Buffer.concat([body, Buffer.of(sum & 0xff, sum >> 8)]));
  body.fill(0); // It may have been a seed.
  return text;
}

/** The 32 bytes, or undefined when the text is not exactly a key of that kind. */
export function decodeStrKey(kind: StrKeyKind, text: string): Uint8Array | undefined {
  if (!TEXT.test(text)) return undefined;
  const bytes = decodeBase32(text);
  const body = bytes.subarray(0, 1 + KEY_BYTES);
  const sum = (bytes[33] ?? 0) | ((bytes[34] ?? 0) << 8);
  return body[0] === VERSION_BYTES[kind] && checksum(body) === sum ? body.subarray(1) : undefined;
}

export function isAccountAddress(text: string): boolean {
  return decodeStrKey('account', text) !== undefined;
}

export function isContractId(text: string): boolean {
  return decodeStrKey('contract', text) !== undefined;
}

/** CRC-16 with polynomial 0x1021 from zero (XMODEM). */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : (sum << 1) & 0xffff;
    }
  }
  return sum;
}
