//! Exact sums of decimal texts, for sums and checks in the page. No floating-point number is used.

/** As the network counts: seven places. Amounts of two places fit in as well. */
const PLACES = 7;
const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,7}))?$/;

/** In units of the seventh place; undefined when the text is no such amount. */
export function readDecimal(text: string): bigint | undefined {
  const found = DECIMAL.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '0', fraction = ''] = found;
  const units = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -units : units;
}

/** Zero where the text is no amount: only for texts that the contract promises to be one. */
export function unitsOf(text: string): bigint {
  return readDecimal(text) ?? 0n;
}

/** With two places, or as many more as it takes to be exact. */
export function decimalText(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0{1,5}$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${fraction}`;
}
