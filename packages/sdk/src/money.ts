//! Money: exact amounts in whole minor units. No float goes in or comes out.
import { HoldfastError } from '#errors';
import type { Currency } from '#generated/words';

/** What the service takes: up to thirteen whole digits and two places, without a sign. */
const WIRE_AMOUNT = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/;
const PLACES = 2;
const MINOR_MAX = 999_999_999_999_999n;

/**
 * An exact amount of one currency, never negative. Give it to any `amount` of the SDK as it is.
 *
 * ```ts
 * const price = money('100.00', 'USD');
 * const [seller, house] = price.allocate([95, 5]); // 95.00 and 5.00, and always the whole
 * ```
 */
export class Money {
  /** The amount in cents. */
  readonly minor: bigint;
  readonly currency: Currency;

  private constructor(minor: bigint, currency: Currency) {
    if (minor < 0n) throw refused(minorText(minor), 'must not be negative');
    if (minor > MINOR_MAX)
      throw refused(minorText(minor), `must not exceed ${minorText(MINOR_MAX)}`);
    this.minor = minor;
    this.currency = currency;
  }

  /** Of whole minor units. */
  static ofMinor(minor: bigint, currency: Currency): Money {
    return new Money(minor, currency);
  }

  static zero(currency: Currency): Money {
    return new Money(0n, currency);
  }

  /** The sum of any number of amounts; zero of none. */
  static sum(amounts: readonly Money[], currency: Currency): Money {
    return amounts.reduce((sum, one) => sum.add(one), Money.zero(currency));
  }

  get isZero(): boolean {
    return this.minor === 0n;
  }

  add(that: Money): Money {
    return new Money(this.minor + this.#same(that), this.currency);
  }

  /** Throws when the result would be negative. */
  subtract(that: Money): Money {
    return new Money(this.minor - this.#same(that), this.currency);
  }

  /** Negative, zero or positive, as for `sort`. */
  compare(that: Money): -1 | 0 | 1 {
    const other = this.#same(that);
    return this.minor < other ? -1 : this.minor > other ? 1 : 0;
  }

  equals(that: Money): boolean {
    return this.currency === that.currency && this.minor === that.minor;
  }

  /**
   * Shares the amount out by weight, to the last cent: what does not divide goes to the largest
   * remainders, earlier parts first, so that the parts always sum to the whole.
   */
  allocate(weights: readonly (number | bigint)[]): Money[] {
    const parts = weights.map(wholeWeight);
    const whole = parts.reduce((sum, weight) => sum + weight, 0n);
    if (whole === 0n) throw new RangeError('at least one weight must be positive');
    const shares = parts.map((weight, index) => ({
      index,
      minor: (this.minor * weight) / whole,
      remainder: (this.minor * weight) % whole,
    }));
    let left = this.minor - shares.reduce((sum, { minor }) => sum + minor, 0n);
    const neediest = shares.toSorted((one, other) =>
      one.remainder === other.remainder
        ? one.index - other.index
        : one.remainder > other.remainder
          ? -1
          : 1,
    );
    for (const share of neediest) {
      if (left === 0n) break;
      share.minor += 1n;
      left -= 1n;
    }
    return shares.map(({ minor }) => new Money(minor, this.currency));
  }

  /** For people: `$1,234.50` in en-US, `1.234,50 USDC` in de-DE. */
  format(locale?: string): string {
    const text = this.toString() as Intl.StringNumericLiteral;
    // Intl takes codes of three letters only; a code of ours may be no currency to it.
    if (this.currency === 'USD') {
      return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(text);
    }
    const digits = { minimumFractionDigits: PLACES, maximumFractionDigits: PLACES };
    return `${new Intl.NumberFormat(locale, digits).format(text)} ${this.currency}`;
  }

  /** The wire form: always two places, without the currency. */
  toString(): string {
    return minorText(this.minor);
  }

  toJSON(): string {
    return this.toString();
  }

  #same(that: Money): bigint {
    if (this.currency === that.currency) return that.minor;
    throw new TypeError(`cannot combine ${this.currency} and ${that.currency}`);
  }
}

/**
 * Reads an amount as the service does: a positive decimal string of at most two places. What the
 * service would refuse is refused here, with `INVALID_AMOUNT`; a number does not compile.
 */
export function money(amount: string, currency: Currency): Money {
  const [, whole, part = ''] = (typeof amount === 'string' && WIRE_AMOUNT.exec(amount)) || [];
  if (whole === undefined)
    throw refused(String(amount), 'must be a decimal string with at most two decimal places');
  const read = Money.ofMinor(BigInt(whole + part.padEnd(PLACES, '0')), currency);
  if (read.isZero) throw refused(amount, 'must not be zero; use Money.zero for sums');
  return read;
}

function refused(amount: string, reason: string): HoldfastError<'INVALID_AMOUNT'> {
  const details = { amount, reason };
  const message = `Invalid amount ${amount}: ${reason}.`;
  return new HoldfastError('INVALID_AMOUNT', { message, details });
}

function wholeWeight(weight: number | bigint): bigint {
  if (typeof weight === 'number' && !Number.isSafeInteger(weight)) {
    throw new RangeError(`a weight must be a whole number, not ${weight}`);
  }
  if (weight < 0) throw new RangeError('a weight must not be negative');
  return BigInt(weight);
}

function minorText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(PLACES + 1, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}
