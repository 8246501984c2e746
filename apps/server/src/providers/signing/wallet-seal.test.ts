import { randomBytes as chance, sign, verify } from 'node:crypto';
import { newId } from '@holdfast/kernel/ids';
import { Keypair } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { isAccountAddress } from '../network/strkey.ts';
import { localKeyWrapper } from './key-wrapper.ts';
import type { SealedWallet } from './signer.ts';
import { newWalletSeal, sealSeed, withKey } from './wallet-seal.ts';

const newest = chance(32).toString('base64');
const older = chance(32).toString('base64');
const wrapper = localKeyWrapper(`v2:${newest},v1:${older}`);
const opens = async (wallet: SealedWallet, by = wrapper) =>
  withKey(by, wallet, () => true).catch(() => false);

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

describe('a sealed wallet', () => {
  it('has a valid address, and its key signs for that address', async () => {
    const wallet = await newWalletSeal(wrapper, newId('wal', Date.now()));
    expect(isAccountAddress(wallet.address)).toBe(true);
    const text = Buffer.from('a message');
    const signature = await withKey(wrapper, wallet, (key) => sign(null, text, key));
    expect(Keypair.fromPublicKey(wallet.address).verify(text, signature)).toBe(true);
    expect(verify(null, text, { key: jwk(wallet.address), format: 'jwk' }, signature)).toBe(true);
  });

  it('opens to the seed that was sealed', async () => {
    const keypair = Keypair.random();
    const seed = keypair.rawSecretKey();
    const wallet = await sealSeed(wrapper, newId('wal', Date.now()), keypair.publicKey(), seed);
    const text = Buffer.from('a message');
    const signature = await withKey(wrapper, wallet, (key) => sign(null, text, key));
    expect(signature.equals(keypair.sign(text))).toBe(true);
  });

  it('is never sealed under an address that is not its own', async () => {
    const seed = Keypair.random().rawSecretKey();
    const sealing = sealSeed(wrapper, newId('wal', Date.now()), Keypair.random().publicKey(), seed);
    await expect(sealing).rejects.toThrow('its own address');
  });

  it('does not open with a single bit of the sealed seed changed', async () => {
    const wallet = await newWalletSeal(wrapper, newId('wal', Date.now()));
    const { sealedSeed } = wallet;
    expect(await opens(wallet)).toBe(true);
    for (let bit = 0; bit < sealedSeed.length * 8; bit += 1) {
      expect(await opens({ ...wallet, sealedSeed: flipped(sealedSeed, bit) }), `${bit}`).toBe(
        false,
      );
    }
  });

  it('does not open with a single bit of the wrapped key changed', async () => {
    const wallet = await newWalletSeal(wrapper, newId('wal', Date.now()));
    const { version, bytes } = wallet.wrappedKey;
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const wrappedKey = { version, bytes: flipped(bytes, bit) };
      expect(await opens({ ...wallet, wrappedKey }), `${bit}`).toBe(false);
    }
  });

  it('does not open as another wallet, or at another address', async () => {
    const wallet = await newWalletSeal(wrapper, newId('wal', Date.now()));
    const other = await newWalletSeal(wrapper, newId('wal', Date.now()));
    expect(await opens({ ...wallet, id: other.id })).toBe(false);
    expect(await opens({ ...wallet, address: other.address })).toBe(false);
    expect(await opens({ ...wallet, sealedSeed: other.sealedSeed })).toBe(false);
    expect(await opens({ ...wallet, wrappedKey: other.wrappedKey })).toBe(false);
  });

  it('opens only with the key-encryption key that wrapped it, which may be an old one', async () => {
    const wallet = await newWalletSeal(localKeyWrapper(`v1:${older}`), newId('wal', Date.now()));
    expect(wallet.wrappedKey.version).toBe('v1');
    expect(await opens(wallet)).toBe(true);
    expect(await opens(wallet, localKeyWrapper(`v2:${newest}`))).toBe(false);
    expect(await opens(wallet, localKeyWrapper(`v1:${newest}`))).toBe(false);
  });

  it('is different every time: no two data keys, nonces or seeds are alike', async () => {
    const keypair = Keypair.random();
    const id = newId('wal', Date.now());
    const once = await sealSeed(wrapper, id, keypair.publicKey(), keypair.rawSecretKey());
    const again = await sealSeed(wrapper, id, keypair.publicKey(), keypair.rawSecretKey());
    expect(once.sealedSeed.equals(again.sealedSeed)).toBe(false);
    expect(once.wrappedKey.bytes.equals(again.wrappedKey.bytes)).toBe(false);
  });
});

function jwk(address: string) {
  const x = Buffer.from(Keypair.fromPublicKey(address).rawPublicKey()).toString('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x };
}
