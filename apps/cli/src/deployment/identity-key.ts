//! The key pair by which workers recognize their Restate: the private key for Restate, the public
//! one as HOLDFAST_ENGINE_IDENTITY_KEYS has it.
import { generateKeyPairSync } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export interface IdentityKey {
  readonly privatePem: string;
  readonly publicKey: string;
}

export function newIdentityKey(): IdentityKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKey: `publickeyv1_${base58(Buffer.from(x, 'base64url'))}`,
  };
}

export function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = BASE58.charAt(Number(rest % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}
