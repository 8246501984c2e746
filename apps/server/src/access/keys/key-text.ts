//! The text of an API key: `hf_<cell>_<256 random bits><checksum>`.
//!
//! The cell lets an edge route without a query. The checksum lets a scanner recognise a leaked
//! key, and lets the server refuse a mistyped one without a database query.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBytes } from '@holdfast/kernel/random';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const KEY = /^hf_([a-z0-9]{1,8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export function newKeyText(cell: string): string {
  const secret = base62(
    BigInt(`0x${Buffer.from(randomBytes(32)).toString('hex')}`),
    SECRET_CHARACTERS,
  );
  return `hf_${cell}_${secret}${checksum(cell, secret)}`;
}

export function isKeyText(text: string): boolean {
  const [, cell, secret, check] = KEY.exec(text) ?? [];
  return cell !== undefined && secret !== undefined && check === checksum(cell, secret);
}

/** The only stored form of a secret. It is random, so a fast hash is the right one. */
export function secretHash(text: string): string {
  return hash('sha256', text, 'hex');
}

function checksum(cell: string, secret: string): string {
  return base62(BigInt(crc32(`${cell}_${secret}`)), CHECKSUM_CHARACTERS);
}

function base62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest /= 62n)
    text = DIGITS[Number(rest % 62n)] + text;
  return text;
}
