import { Money } from '@holdfast/kernel/money';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  floorMinorOf,
  minorOf,
  readSignedStroops,
  stroopsOf,
  stroopsOfMinor,
  stroopsText,
} from './stroops.ts';

const USD = (minor: bigint) => Money.ofMinor(minor, 'USD');

it('counts a cent as a hundred thousand stroops', () => {
  expect(stroopsOf(USD(1n))).toBe(100_000n);
  expect(stroopsOf(USD(10_000n))).toBe(1_000_000_000n);
});

it('returns the part below a cent, and never rounds it away', () => {
  expect(minorOf(0n)).toEqual({ minor: 0n, dust: 0n });
  expect(minorOf(99_999n)).toEqual({ minor: 0n, dust: 99_999n });
  expect(minorOf(100_001n)).toEqual({ minor: 1n, dust: 1n });
});

it('writes seven places', () => {
  expect(stroopsText(1n)).toBe('0.0000001');
  expect(stroopsText(123_456_789n)).toBe('12.3456789');
  expect(stroopsText(10_000_000n)).toBe('1.0000000');
  expect(stroopsText(-1n)).toBe('-0.0000001');
});

it('reads what it writes, and fewer places', () => {
  for (const stroops of [1n, -1n, 123_456_789n, -10_000_000n])
    expect(readSignedStroops(stroopsText(stroops))).toBe(stroops);
  expect(readSignedStroops('-12.5')).toBe(-125_000_000n);
});

it('rounds down to the cent, so that dust is never negative', () => {
  expect(floorMinorOf(-1n)).toEqual({ minor: -1n, dust: 99_999n });
  expect(floorMinorOf(-100_000n)).toEqual({ minor: -1n, dust: 0n });
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (stroops) => {
      const { minor, dust } = floorMinorOf(stroops);
      expect(stroopsOfMinor(minor) + dust).toBe(stroops);
      expect(dust >= 0n && dust < 100_000n).toBe(true);
    }),
  );
});

it('is exact both ways for every amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (minor) => {
      expect(minorOf(stroopsOf(USD(minor)))).toEqual({ minor, dust: 0n });
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (stroops) => {
      const { minor, dust } = minorOf(stroops);
      expect(stroopsOf(USD(minor)) + dust).toBe(stroops);
      expect(BigInt(stroopsText(stroops).replace('.', ''))).toBe(stroops);
    }),
  );
});
