import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  centsOf,
  grouped,
  perMille,
  shareOf,
  splitAt,
  splitByShare,
  textOf,
} from '#parts/money/cents.ts';

const whole = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });

describe('cents', () => {
  it('are parsed back unchanged from their text', () => {
    fc.assert(fc.property(whole, (cents) => centsOf(textOf(cents)) === cents));
    expect(textOf(-5n)).toBe('-0.05');
    expect(centsOf('-0.05')).toBe(-5n);
  });

  it('are read from what people write, and from nothing else', () => {
    expect(centsOf('10')).toBe(1000n);
    expect(centsOf(' 10.5 ')).toBe(1050n);
    for (const wrong of ['', '1,000.00', '1.005', '1e3', '.5', 'ten', '--1']) {
      expect(centsOf(wrong), wrong).toBeUndefined();
    }
  });

  it('are grouped without losing a digit', () => {
    expect(grouped('1234567.89')).toBe('1,234,567.89');
    expect(grouped('-1234.5000000')).toBe('-1,234.5000000');
    expect(grouped('999.00')).toBe('999.00');
  });
});

describe('a split', () => {
  it('always sums to the whole, wherever the slider stands', () => {
    const shares = fc.integer({ min: -10, max: 10_010 });
    fc.assert(
      fc.property(whole, shares, (cents, share) => {
        const { releaseCents, refundCents } = splitByShare(cents, share);
        expect(releaseCents + refundCents).toBe(cents);
        expect(releaseCents >= 0n && refundCents >= 0n).toBe(true);
      }),
    );
  });

  it('always sums to the whole, for any typed amount', () => {
    const typed = fc.bigInt({ min: -1_000n, max: 2_000_000_000_000_000n });
    fc.assert(
      fc.property(whole, typed, (cents, release) => {
        const { releaseCents, refundCents } = splitAt(cents, release);
        expect(releaseCents + refundCents).toBe(cents);
        expect(releaseCents >= 0n && refundCents >= 0n).toBe(true);
      }),
    );
  });

  it('gives the odd cent to the buyer', () => {
    expect(splitByShare(101n, 5000)).toEqual({ releaseCents: 50n, refundCents: 51n });
  });

  it('puts the slider where it was', () => {
    expect(shareOf(splitByShare(1_000_000n, 2500))).toBe(2500n);
    expect(shareOf({ releaseCents: 0n, refundCents: 0n })).toBe(0n);
  });

  it('is drawn without a float', () => {
    expect(perMille(1n, 3n)).toBe(333n);
    expect(perMille(1n, 0n)).toBe(0n);
  });
});
