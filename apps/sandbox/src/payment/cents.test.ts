import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsNumber, centsText, readCents } from './cents.ts';

const cents = fc.bigInt({ min: 0n, max: 99_999_999_999_999n });

describe('cents', () => {
  it('read what they write, as text and as a number', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(readCents(centsText(amount))).toBe(amount);
        expect(readCents(JSON.stringify(centsNumber(amount)))).toBe(amount);
      }),
    );
  });

  it.each([
    ['0.01', 1n],
    ['1', 100n],
    ['1.1', 110n],
    ['1.10', 110n],
    ['0.29', 29n],
    ['1000000000.01', 100_000_000_001n],
  ])('reads %s exactly', (digits, expected) => {
    expect(readCents(digits)).toBe(expected);
  });

  it.each(['1.001', '1.000', '-1', '1e2', '', '.5', '1.', '1,5', 'NaN', '1234567890123'])(
    'refuses %s',
    (digits) => {
      expect(readCents(digits)).toBeUndefined();
    },
  );
});
