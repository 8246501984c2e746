import { randomBytes } from '@holdfast/kernel/random';
import { StrKey } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { decodeStrKey, encodeStrKey, isAccountAddress, isContractId } from './strkey.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abcdefghijklmnopqrstuvwxyz0189 =';

describe('addresses as text', () => {
  it('are what the network library writes and reads', () => {
    for (let round = 0; round < 50; round += 1) {
      const key = randomBytes(32);
      const account = encodeStrKey('account', key);
      expect(account).toBe(StrKey.encodeEd25519PublicKey(key));
      expect(encodeStrKey('contract', key)).toBe(StrKey.encodeContract(key));
      expect(encodeStrKey('seed', key)).toBe(StrKey.encodeEd25519SecretSeed(key));
      expect(decodeStrKey('account', account)).toEqual(key);
    }
  });

  it('of one kind are not taken for another', () => {
    const key = randomBytes(32);
    expect(isAccountAddress(encodeStrKey('account', key))).toBe(true);
    expect(isAccountAddress(encodeStrKey('contract', key))).toBe(false);
    expect(isAccountAddress(encodeStrKey('seed', key))).toBe(false);
    expect(isContractId(encodeStrKey('contract', key))).toBe(true);
    expect(isContractId(encodeStrKey('account', key))).toBe(false);
  });

  it('are refused with any single character changed', () => {
    const address = encodeStrKey('account', randomBytes(32));
    for (let at = 0; at < address.length; at += 1) {
      for (const letter of LETTERS) {
        if (letter === address[at]) continue;
        const changed = address.slice(0, at) + letter + address.slice(at + 1);
        expect(isAccountAddress(changed), changed).toBe(false);
      }
    }
  });

  it('are refused when two neighbours are swapped, cut short, or with anything around them', () => {
    const address = encodeStrKey('account', randomBytes(32));
    for (let at = 0; at + 1 < address.length; at += 1) {
      const [one = '', other = ''] = address.slice(at, at + 2);
      if (one === other) continue;
      const swapped = address.slice(0, at) + other + one + address.slice(at + 2);
      expect(isAccountAddress(swapped), swapped).toBe(false);
    }
    for (const text of [address.slice(1), address.slice(0, -1), ` ${address}`, `${address}\n`, ''])
      expect(isAccountAddress(text), text).toBe(false);
  });

  it('are made of 32 bytes and no other number', () => {
    expect(() => encodeStrKey('account', randomBytes(31))).toThrow(RangeError);
  });
});
