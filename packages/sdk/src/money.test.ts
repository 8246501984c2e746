import { Money as ServerMoney } from '@holdfast/kernel/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHoldfastError } from '#errors';
import { Money, money } from '#money';

const usd = (text: string) => money(text, 'USD');

describe('money', () => {
  it.each(['0.01', '1', '1.5', '1.50', '9999999999999.99'])('reads %s', (text) => {
    expect(usd(text).minor).toBe(ServerMoney.read(text, 'USD')?.minor);
  });

  it('takes exactly what the service takes', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from('0123456789.-+e, ')), maxLength: 18 }),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const theirs = ServerMoney.read(text, 'USD');
        if (theirs !== undefined) return usd(text).toString() === theirs.text;
        try {
          usd(text);
          return false;
        } catch (error) {
          return isHoldfastError(error, 'INVALID_AMOUNT');
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('refuses what is no text at all', () => {
    for (const wrong of [1, 1.1, null, undefined, {}, 10n]) {
      expect(() => money(wrong as string, 'USD')).toThrow(
        `Invalid amount ${String(wrong as string)}: must be a decimal string with at most two decimal places.`,
      );
    }
  });

  it('adds, subtracts and compares, in one currency', () => {
    expect(usd('0.10').add(usd('0.20')).toString()).toBe('0.30');
    expect(usd('1.00').subtract(usd('0.01')).toString()).toBe('0.99');
    expect(() => usd('1.00').subtract(usd('1.01'))).toThrow('must not be negative');
    expect(() => usd('1.00').add(money('1.00', 'USDC'))).toThrow('USD and USDC');
    expect([usd('2'), usd('10'), usd('1')].sort((a, b) => a.compare(b)).map(String)).toEqual([
      '1.00',
      '2.00',
      '10.00',
    ]);
    expect(usd('1').equals(usd('1.00'))).toBe(true);
    expect(usd('1').equals(money('1', 'XLM'))).toBe(false);
    expect(Money.sum([usd('1.10'), usd('2.20')], 'USD').toString()).toBe('3.30');
    expect(Money.sum([], 'USD').isZero).toBe(true);
  });

  it('shares out to the last cent, as the service does', () => {
    expect(usd('100.00').allocate([95, 5]).map(String)).toEqual(['95.00', '5.00']);
    expect(usd('0.05').allocate([1, 1, 1]).map(String)).toEqual(['0.02', '0.02', '0.01']);
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1 });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n }), weights, (minor, parts) => {
        fc.pre(parts.some((weight) => weight > 0n));
        const shares = Money.ofMinor(minor, 'USD').allocate(parts);
        const theirs = ServerMoney.ofMinor(minor, 'USD').allocate(parts);
        expect(Money.sum(shares, 'USD').minor).toBe(minor);
        expect(shares.map(String)).toEqual(theirs.map(({ text }) => text));
      }),
    );
  });

  it.each([[[]], [[0, 0]], [[0.5, 0.5]], [[-1, 2]], [[Number.NaN]]])(
    'does not share out by %j',
    (weights) => expect(() => usd('1').allocate(weights)).toThrow(RangeError),
  );

  it('is written for people, and for the wire', () => {
    expect(usd('1234.5').format('en-US')).toBe('$1,234.50');
    expect(usd('9999999999999.99').format('en-US')).toBe('$9,999,999,999,999.99');
    expect(money('1234.5', 'USDC').format('de-DE')).toBe('1.234,50 USDC');
    expect(JSON.stringify({ amount: usd('1.5') })).toBe('{"amount":"1.50"}');
  });
});
