import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Money, minorText, readRate } from '#money';

/** Every night it is a million. */
const CASES = Number(process.env['TEST_CASES'] ?? 100_000);
const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
const usd = (minor: bigint) => Money.ofMinor(minor, 'USD');

describe('reading a wire amount', () => {
  it.each(['0.01', '1', '1.5', '12.34', '4503599.37', '9999999999999.99'])('takes %s', (text) => {
    expect(Money.read(text, 'USD')?.text).toBe(minorText(usd(centsOf(text)).minor));
  });

  it.each([
    '',
    ' ',
    '0',
    '0.00',
    '-1.00',
    '+1.00',
    '1.001',
    '1,00',
    '1e3',
    '.5',
    '1.',
    '01.00',
    '0x10',
    ' 1.00',
    '1.00 ',
    '1.00\n',
    '1_000',
    'NaN',
    'Infinity',
    '٣',
    '１',
    '1.00\u0000',
    '99999999999999.00',
  ])('refuses %j', (text) => {
    expect(Money.read(text, 'USD')).toBeUndefined();
  });

  it.each(['0', '0.0', '0.00'])('takes %s only where zero may stand', (text) => {
    expect(Money.readOrZero(text, 'USD')?.minor).toBe(0n);
    expect(Money.read(text, 'USD')).toBeUndefined();
  });

  it.each(['-1', '0.001', '', 'x'])('takes %s nowhere', (text) => {
    expect(Money.readOrZero(text, 'USD')).toBeUndefined();
  });

  // The grammar, stated a second time without the reader's own pattern.
  it('accepts exactly the grammar, on any string', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'0123456789.-+e ,'.split('')),
      maxLength: 9,
    });
    fc.assert(
      fc.property(text, (wire) => {
        const [whole = '', part, ...more] = wire.split('.');
        const digits = (piece: string) =>
          piece.length > 0 && piece.split('').every((c) => c >= '0' && c <= '9');
        const shaped =
          more.length === 0 &&
          digits(whole) &&
          (whole === '0' || !whole.startsWith('0')) &&
          (part === undefined || (digits(part) && part.length <= 2));
        const positive = wire.split('').some((c) => c >= '1' && c <= '9');
        return (Money.read(wire, 'USD') !== undefined) === (shaped && positive);
      }),
      { numRuns: CASES },
    );
  });

  it('reads back what it writes, on any amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), (minor) => {
        return Money.read(usd(minor).text, 'USD')?.minor === minor;
      }),
      { numRuns: CASES },
    );
  });
});

describe('cutting a fee off', () => {
  it('makes two parts that sum to the whole, on any pair', () => {
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 0n, max: 5_000n }), (minor, rate) => {
        const { fee, net } = usd(minor).feeAndNet(rate);
        const distance = fee.minor * 10_000n - minor * rate;
        return fee.minor + net.minor === minor && distance <= 5_000n && distance >= -5_000n;
      }),
      { numRuns: CASES },
    );
  });

  it.each([
    [10n, 500n, 0n], // half a cent, even below
    [30n, 500n, 2n], // one and a half, even above
    [50n, 500n, 2n], // two and a half, even below
    [3333n, 500n, 167n],
    [10_000n, 0n, 0n],
  ])('rounds %d minor at rate %d to %d: half to even', (minor, rate, fee) => {
    expect(usd(minor).feeAndNet(rate).fee.minor).toBe(fee);
  });
});

describe('sharing out by weight', () => {
  it('neither loses nor creates a cent, and each share is within a cent of its due', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 6n }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(amount, weights, (minor, shares) => {
        const whole = shares.reduce((sum, weight) => sum + weight, 0n);
        fc.pre(whole > 0n);
        const parts = usd(minor).allocate(shares);
        const sum = parts.reduce((total, part) => total + part.minor, 0n);
        const fair = parts.every((part, at) => {
          const off = part.minor * whole - minor * (shares[at] as bigint);
          return off < whole && off > -whole;
        });
        return sum === minor && fair;
      }),
      { numRuns: CASES },
    );
  });
});

describe('a fee rate', () => {
  it.each([
    ['0', 0n],
    ['5', 500n],
    ['5.5', 550n],
    ['2.75', 275n],
    ['50', 5_000n],
  ])('reads %s percent', (text, rate) => expect(readRate(text)).toBe(rate));
  it.each(['', '-1', '50.01', '5.555', '1e1', 'NaN', '100', '05', ' 5'])('refuses %j', (text) =>
    expect(readRate(text)).toBeUndefined(),
  );
});

describe('money never', () => {
  it('goes negative', () => expect(() => usd(1n).minus(usd(2n))).toThrow(/never negative/));
  it('mixes currencies', () =>
    expect(() => usd(1n).plus(Money.ofMinor(1n, 'XLM'))).toThrow(/never meet/));
  it('becomes JSON silently', () => expect(() => JSON.stringify(usd(1n))).toThrow(/view/));
});

it('writes signed differences with two places', () => {
  expect([-5n, -100n, 0n, 7n, 123_456n].map(minorText)).toEqual([
    '-0.05',
    '-1.00',
    '0.00',
    '0.07',
    '1234.56',
  ]);
});

function centsOf(text: string): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(2, '0'));
}
