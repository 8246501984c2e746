import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText, exactNumber, readExact } from './exact-number.ts';

describe('amounts in JSON numbers', () => {
  it('are written digit by digit', () => {
    const body = { amount: exactNumber(1_005n, 2), fee: exactNumber(0n, 2) };
    expect(JSON.stringify(body)).toBe('{"amount":10.05,"fee":0.00}');
    expect(JSON.stringify([exactNumber(1n, 7)])).toBe('[0.0000001]');
    expect(decimalText(1n, 7)).toBe('0.0000001');
  });

  it('arrive as the amount that was sent, or are not sent', () => {
    const amounts = fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 63n }), fc.constantFrom(2, 7));
    fc.assert(
      fc.property(amounts, ([units, places]) => {
        const number = exactNumber(units, places);
        if (number === undefined) return units > 2n ** 52n;
        return readExact(JSON.parse(JSON.stringify(number)), places) === units;
      }),
      { numRuns: 5_000 },
    );
  });

  it('are refused when a double would hold a neighbouring amount instead', () => {
    expect(exactNumber(2n ** 56n + 1n, 7)).toBeUndefined();
    expect(exactNumber(-1n, 7)).toBeUndefined();
  });

  it('are read from numbers and from text, and from no other value', () => {
    expect(readExact(10.05, 2)).toBe(1_005n);
    expect(readExact('10.05', 2)).toBe(1_005n);
    expect(readExact('10.0500000', 2)).toBe(1_005n);
    expect(readExact(1e-7, 7)).toBe(1n);
    expect(readExact(100, 7)).toBe(1_000_000_000n);
    const none = [10.005, '10.005', -1, '-1', Number.NaN, Number.POSITIVE_INFINITY, 1e21, '1e3'];
    for (const value of [...none, '', ' 1', '+1', null, undefined, {}, [], true, 1n]) {
      expect(readExact(value, 2), inspect(value)).toBeUndefined();
    }
  });

  it('are not read from a number that is only nearly one', () => {
    expect(readExact(0.1 + 0.2, 7)).toBeUndefined();
  });
});
