//! Seals the seeds of wallets: each with its own data key, which a key-encryption key wraps. Both
//! are bound to wallet and address, so neither opens in another place.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import type { WalletId } from '@holdfast/kernel/ids';
import { randomBytes } from '@holdfast/kernel/random';
import { encodeStrKey } from '../network/strkey.ts';
import { type KeyWrapper, open, seal } from './key-wrapper.ts';
import type { SealedWallet } from './signer.ts';

const SEED_BYTES = 32;
const DATA_KEY_BYTES = 32;
/** The bytes before the seed of an Ed25519 key in PKCS #8. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export async function newWalletSeal(wrapper: KeyWrapper, id: WalletId): Promise<SealedWallet> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  try {
    return await sealSeed(wrapper, id, addressOf(privateKey), der.subarray(-SEED_BYTES));
  } finally {
    der.fill(0);
  }
}

/** The caller still owns the seed, and wipes it. */
export async function sealSeed(
  wrapper: KeyWrapper,
  id: WalletId,
  address: string,
  seed: Uint8Array,
): Promise<SealedWallet> {
  assert(addressOf(keyOf(seed)) === address, 'a seed is sealed under its own address');
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    const context = contextOf(id, address);
    const wrappedKey = await wrapper.wrap(dataKey, context);
    return { id, address, sealedSeed: seal(dataKey, seed, context), wrappedKey };
  } finally {
    dataKey.fill(0);
  }
}

/** The key exists in this process only while the work runs. */
export async function withKey<T>(
  wrapper: KeyWrapper,
  wallet: SealedWallet,
  work: (key: KeyObject) => T,
): Promise<T> {
  const { id, address, sealedSeed, wrappedKey } = wallet;
  const context = contextOf(id, address);
  const dataKey = await wrapper.unwrap(wrappedKey, context);
  try {
    const seed = open(dataKey, sealedSeed, context);
    try {
      const key = keyOf(seed);
      assert(addressOf(key) === address, 'a wallet opens to the key of its address');
      return work(key);
    } finally {
      seed.fill(0);
    }
  } finally {
    dataKey.fill(0);
  }
}

function contextOf(id: WalletId, address: string): string {
  return `${id}|${address}`;
}

function keyOf(seed: Uint8Array): KeyObject {
  assert(seed.length === SEED_BYTES, 'a seed has 32 bytes');
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

function addressOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return encodeStrKey('account', der.subarray(-SEED_BYTES));
}
