//! Wraps the data keys of wallets: a local key in development, a key service in production.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import { randomBytes } from '@holdfast/kernel/random';

export interface WrappedKey {
  /** Which key-encryption key was used; old ones stay readable while data keys are re-wrapped. */
  readonly version: string;
  readonly bytes: Buffer;
}

export interface KeyWrapper {
  readonly currentVersion: string;
  /** `context` is bound in: a wrapped key moved to another wallet does not open. */
  wrap(dataKey: Uint8Array, context: string): Promise<WrappedKey>;
  unwrap(wrapped: WrappedKey, context: string): Promise<Uint8Array>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys from configuration: `v2:base64,v1:base64`, the first is the one that wraps. */
export function localKeyWrapper(keys: string): KeyWrapper {
  const byVersion = new Map(
    keys.split(',').map((pair) => {
      const [version = '', text = ''] = pair.split(':');
      const key = Buffer.from(text, 'base64');
      assert(
        version !== '' && key.length === 32,
        'a key-encryption key is a version and 32 bytes of base64',
      );
      return [version, key];
    }),
  );
  const [currentVersion] = byVersion.keys();
  assert(currentVersion !== undefined, 'at least one key-encryption key is configured');
  const keyOf = (version: string) => {
    const key = byVersion.get(version);
    assert(key !== undefined, `key-encryption key ${version} is configured`);
    return key;
  };
  return {
    currentVersion,
    wrap: async (dataKey, context) => ({
      version: currentVersion,
      bytes: seal(keyOf(currentVersion), dataKey, context),
    }),
    unwrap: async ({ version, bytes }, context) => open(keyOf(version), bytes, context),
  };
}

/** AES-256-GCM: nonce, ciphertext, tag. */
export function seal(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when a single bit of bytes, key or context differs. */
export function open(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}
