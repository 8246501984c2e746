//! Money: exact amounts in whole minor units. Floating-point numbers are never accepted or
//! returned.
import { assert } from '#assert';
import { CURRENCIES, type Currency } from '#currency';

/** Thirteen whole digits: ten trillion. Thousands of such amounts still fit in a BIGINT balance. */
const WIRE_AMOUNT = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/;

/** A percentage held exactly, in hundredths of a percent: "5" and "5.00" are both 500. */
const WIRE_RATE = /^(0|[1-9]\d?)(?:\.(\d{1,2}))?$/;
export const RATE_BASIS = 10_000n;
export const RATE_MAX = 5_000n;

/**
 * An exact amount of one currency. Never negative: direction belongs to the entry that moves it.
 */
export class Money {
  readonly #minor: bigint; // The private field makes the type nominal: no look-alike object passes.
  readonly currency: Currency;

  private constructor(minor: bigint, currency: Currency) {
    assert(minor >= 0n, 'an amount is never negative; direction belongs to the entry');
    this.#minor = minor;
    this.currency = currency;
  }

  /** Reads a wire amount ("12.5"). Undefined unless positive and within the currency's places. */
  static read(text: string, currency: Currency): Money | undefined {
    const minor = readMinor(text, CURRENCIES[currency].scale);
    return minor === undefined || minor === 0n ? undefined : new Money(minor, currency);
  }

  /** A limit or a share, which may be zero. */
  static readOrZero(text: string, currency: Currency): Money | undefined {
    const minor = readMinor(text, CURRENCIES[currency].scale);
    return minor === undefined ? undefined : new Money(minor, currency);
  }

  /** For row files, which hold minor units in BIGINT columns. */
  static ofMinor(minor: bigint, currency: Currency): Money {
    return new Money(minor, currency);
  }

  static zero(currency: Currency): Money {
    return new Money(0n, currency);
  }

  get minor(): bigint {
    return this.#minor;
  }

  get isZero(): boolean {
    return this.#minor === 0n;
  }

  /** The wire form, always with two places. */
  get text(): string {
    return minorText(this.#minor);
  }

  plus(that: Money): Money {
    return new Money(this.#minor + this.#same(that), this.currency);
  }

  minus(that: Money): Money {
    return new Money(this.#minor - this.#same(that), this.currency);
  }

  equals(that: Money): boolean {
    return this.currency === that.currency && this.#minor === that.#minor;
  }

  isLessThan(that: Money): boolean {
    return this.#minor < this.#same(that);
  }

  /** Cuts a fee off, rounded half-even to the cent; the payee keeps the rest, so the parts sum. */
  feeAndNet(rate: bigint): { fee: Money; net: Money } {
    assert(rate >= 0n && rate <= RATE_BASIS, 'a fee rate lies between nothing and everything');
    const fee = new Money(halfEven(this.#minor * rate, RATE_BASIS), this.currency);
    return { fee, net: this.minus(fee) };
  }

  /**
   * Shares the amount out by weight, down to the last cent. Cents that do not divide go to the
   * largest remainders, earlier parts first, so the parts always sum to the whole.
   */
  allocate(weights: readonly bigint[]): Money[] {
    const whole = weights.reduce((sum, weight) => {
      assert(weight >= 0n, 'a weight is never negative');
      return sum + weight;
    }, 0n);
    assert(whole > 0n, 'something must be entitled to a share');
    const shares = weights.map((weight, index) => ({
      index,
      minor: (this.#minor * weight) / whole,
      remainder: (this.#minor * weight) % whole,
    }));
    let left = this.#minor - shares.reduce((sum, share) => sum + share.minor, 0n);
    const neediest = [...shares].sort(
      (one, other) => compare(other.remainder, one.remainder) || one.index - other.index,
    );
    for (const share of neediest) {
      if (left === 0n) break;
      share.minor += 1n;
      left -= 1n;
    }
    return shares.map((share) => new Money(share.minor, this.currency));
  }

  toString(): string {
    return `${this.text} ${this.currency}`;
  }

  /** JSON.stringify would otherwise write `{}`; views use `text` explicitly. */
  toJSON(): never {
    assert(false, 'a view turns money into text; JSON never sees it');
  }

  #same(that: Money): bigint {
    assert(this.currency === that.currency, 'amounts of two currencies never meet');
    return that.#minor;
  }
}

/** Minor units as wire text, also for signed differences: -5n is "-0.05". */
export function minorText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads a percentage ("5", "2.75") into hundredths of a percent. Undefined outside 0 to 50. */
export function readRate(text: string): bigint | undefined {
  const [, whole, part = ''] = WIRE_RATE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rate = BigInt(whole + part.padEnd(2, '0'));
  return rate <= RATE_MAX ? rate : undefined;
}

function readMinor(text: string, scale: number): bigint | undefined {
  const [, whole, part = ''] = WIRE_AMOUNT.exec(text) ?? [];
  if (whole === undefined || part.length > scale) return undefined;
  return BigInt(whole + part.padEnd(scale, '0'));
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const floor = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator || (twice === denominator && floor % 2n === 0n)) return floor;
  return floor + 1n;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
