//! Checks signatures with node:crypto: ed25519 in the SDK is a hundred times slower.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Keypair, StrKey, xdr } from '@stellar/stellar-sdk';

const KEYS_MAX = 50_000;
const keys = new Map<string, KeyObject>();

function publicKey(address: string): KeyObject {
  const known = keys.get(address);
  if (known !== undefined) return known;
  const x = Buffer.from(StrKey.decodeEd25519PublicKey(address)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(address, key);
  return key;
}

/** The signatures under one hash, and which of them were needed. */
export class SignatureCheck {
  readonly #hash: Uint8Array;
  readonly #signatures: readonly xdr.DecoratedSignature[];
  readonly #used = new Set<number>();
  readonly #results = new Map<string, boolean>();

  constructor(hash: Uint8Array, signatures: readonly xdr.DecoratedSignature[]) {
    this.#hash = hash;
    this.#signatures = signatures;
  }

  /** Every account has its master key as its only signer. */
  isSignedBy(address: string): boolean {
    const known = this.#results.get(address);
    if (known !== undefined) return known;
    const hint = hintOf(address);
    const at = this.#signatures.findIndex(
      (each) =>
        hint.equals(each.hint.toBytes()) &&
        verify(null, this.#hash, publicKey(address), each.signature.toBytes()),
    );
    if (at !== -1) this.#used.add(at);
    this.#results.set(address, at !== -1);
    return at !== -1;
  }

  /** A signature that no account needed makes a transaction invalid. */
  get hasExtra(): boolean {
    return this.#used.size !== this.#signatures.length;
  }
}

function hintOf(address: string): Buffer {
  return Buffer.from(StrKey.decodeEd25519PublicKey(address)).subarray(-4);
}

const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Of the few that the world itself signs with. */
const ownKeys = new WeakMap<Keypair, KeyObject>();

export function signHash(keypair: Keypair, hash: Uint8Array): xdr.DecoratedSignature {
  return new xdr.DecoratedSignature({
    hint: hintOf(keypair.publicKey()),
    signature: sign(null, hash, privateKey(keypair)),
  });
}

function privateKey(keypair: Keypair): KeyObject {
  const known = ownKeys.get(keypair);
  if (known !== undefined) return known;
  const seed = StrKey.decodeEd25519SecretSeed(keypair.secret());
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  ownKeys.set(keypair, key);
  return key;
}
