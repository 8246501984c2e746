//! Amounts of the payment provider: JSON numbers on the wire, bigint cents in code, never rounded.

/** Twelve digits and two decimals are exact in a double; more would not be. */
const AMOUNT = /^(\d{1,12})(?:\.(\d{1,2}))?$/;

/** From the digits as they stood in the JSON text; undefined when they are no amount. */
export function readCents(digits: string): bigint | undefined {
  const found = AMOUNT.exec(digits);
  if (found === null) return undefined;
  return BigInt(`${found[1]}${(found[2] ?? '').padEnd(2, '0')}`);
}

export function centsText(cents: bigint): string {
  if (cents < 0n) return `-${centsText(-cents)}`;
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The number that JSON reads from the decimal text: the nearest there is. */
export function centsNumber(cents: bigint): number {
  return JSON.parse(centsText(cents)) as number;
}
