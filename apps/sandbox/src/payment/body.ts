//! Strict bodies: every property is declared, every other one is refused.
import { readCents } from './cents.ts';
import { PaymentRefusal } from './errors.ts';

/** A number as it was written: the double that JSON makes of it may have lost digits. */
class NumberText {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

type Read<T> = (value: unknown, name: string) => T;
type Shape = Readonly<Record<string, Read<unknown>>>;
type Fields<S extends Shape> = { readonly [Name in keyof S]: ReturnType<S[Name]> };

const CENTS_MAX = 1_000_000_000_00n;

export function readBody<S extends Shape>(text: string, shape: S): Fields<S> {
  return readFields(parse(text), shape, 'body');
}

export function text(lengthMax = 250): Read<string> {
  return (value, name) => {
    if (typeof value !== 'string') return malformed(name, 'must be a string');
    if (value.trim() === '') return malformed(name, 'must not be empty');
    if (value.length > lengthMax) return malformed(name, `is longer than ${lengthMax} characters`);
    return value;
  };
}

export const flag: Read<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : malformed(name, 'must be a boolean');

export const amount: Read<bigint> = (value, name) => {
  if (!(value instanceof NumberText)) return malformed(name, 'must be a number');
  if (value.digits.startsWith('-')) throw new PaymentRefusal('415057', { property: name });
  const cents = readCents(value.digits);
  if (cents === undefined) return malformed(name, 'must have at most two decimals');
  if (cents < 1n) throw new PaymentRefusal('415057', { property: name });
  if (cents > CENTS_MAX) throw new PaymentRefusal('415058', { property: name });
  return cents;
};

/** Fees may be nothing; payments may not. */
export const amountOrZero: Read<bigint> = (value, name) =>
  value instanceof NumberText && readCents(value.digits) === 0n ? 0n : amount(value, name);

export const count: Read<bigint> = (value, name) => {
  const digits = value instanceof NumberText ? value.digits : '';
  return /^[1-9]\d{0,5}$/.test(digits)
    ? BigInt(digits)
    : malformed(name, 'must be a whole number of at least 1');
};

/** Only the web's own schemes: the payment page sends a browser there. */
export const webUri: Read<string> = (value, name) => {
  const uri = text(2000)(value, name);
  const isWeb = /^https?:\/\//i.test(uri) && URL.canParse(uri);
  return isWeb ? uri : malformed(name, 'must be an http or https address');
};

export const email: Read<string> = (value, name) => {
  const address = text(254)(value, name);
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : malformed(name, 'must be an e-mail address');
};

export function oneOf<T extends string>(...choices: readonly T[]): Read<T> {
  return (value, name) =>
    choices.find((choice) => choice === value) ??
    malformed(name, `must be one of ${choices.join(', ')}`);
}

export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value, name) => (value === undefined ? undefined : read(value, name));
}

export function object<S extends Shape>(shape: S): Read<Fields<S>> {
  return (value, name) => readFields(value, shape, name);
}

export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, name) => {
    if (!Array.isArray(value) || value.length === 0)
      return malformed(name, 'must be a list of at least one');
    return value.map((item: unknown, at) => read(item, `${name}[${at}]`));
  };
}

export function malformed(name: string, problem: string): never {
  throw new PaymentRefusal('415906', { errors: [`${name} ${problem}`] });
}

function readFields<S extends Shape>(value: unknown, shape: S, name: string): Fields<S> {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isObject || value instanceof NumberText) return malformed(name, 'must be an object');
  for (const property of Object.keys(value))
    if (!Object.hasOwn(shape, property)) malformed('property', `${property} should not exist`);
  const given = value as Readonly<Record<string, unknown>>;
  const fields = Object.entries(shape).map(([property, read]) => {
    const path = name === 'body' ? property : `${name}.${property}`;
    return [property, read(Object.hasOwn(given, property) ? given[property] : undefined, path)];
  });
  return Object.fromEntries(fields) as Fields<S>;
}

/** The third argument is newer than TypeScript's own declaration of a reviver. */
type Reviver = (this: unknown, key: string, value: unknown) => unknown;

function parse(json: string): unknown {
  const preserveDigits = (_: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? new NumberText(source) : value;
  try {
    return JSON.parse(json, preserveDigits as Reviver);
  } catch {
    throw new PaymentRefusal('415901');
  }
}
