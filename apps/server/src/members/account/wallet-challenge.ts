//! A text that only the owner of a wallet can sign. It is not stored: it proves by itself that this
//! service wrote it, for which member and wallet, and until when.
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { type Instant, instantText, readInstant } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import { decodeStrKey } from '../../providers/network/strkey.ts';

const VALID_MS = 10 * 60_000;
const TITLE = 'Holdfast: this wallet is mine';

export interface Challenge {
  readonly text: string;
  readonly expiresAt: Instant;
}

export function newChallenge(
  secret: string,
  userId: UserId,
  publicKey: string,
  now: Instant,
): Challenge {
  const expiresAt = now + VALID_MS;
  const body = [TITLE, publicKey, userId, instantText(expiresAt)].join('\n');
  return { text: `${body}\n${sealOf(secret, body)}`, expiresAt };
}

export interface Proof {
  readonly challenge: string;
  /** Base 64, of Ed25519 over the challenge's bytes. */
  readonly signature: string;
}

export function isProof(
  secret: string,
  userId: UserId,
  publicKey: string,
  { challenge, signature }: Proof,
  now: Instant,
): boolean {
  const lines = challenge.split('\n');
  const [title, wallet, user, expires = '', seal = ''] = lines;
  const body = lines.slice(0, 4).join('\n');
  const isOurs = lines.length === 5 && isEqual(seal, sealOf(secret, body));
  const isMatching = title === TITLE && wallet === publicKey && user === userId;
  if (!isOurs || !isMatching || (readInstant(expires) ?? 0) < now) return false;
  const key = decodeStrKey('account', publicKey);
  if (key === undefined) return false;
  const raw = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') };
  const given = Buffer.from(signature, 'base64');
  return verify(null, Buffer.from(challenge), createPublicKey({ key: raw, format: 'jwk' }), given);
}

function sealOf(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`wallet\n${body}`).digest('base64url');
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
