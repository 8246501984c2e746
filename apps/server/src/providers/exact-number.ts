//! Amounts in JSON numbers, exactly: providers send and expect numbers where we have whole units.
//!
//! A number is written from its decimal digits and never calculated. An amount that a double cannot
//! carry is refused when writing. When reading, a number with more decimal places is no amount.

/** Newer than TypeScript's declarations: JSON text that `JSON.stringify` passes on as it stands. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => RawNumber };

export interface RawNumber {
  readonly rawJSON: string;
}

/** Undefined when the receiver's double would differ from this amount. */
export function exactNumber(units: bigint, places: number): RawNumber | undefined {
  if (units < 0n) return undefined;
  const text = decimalText(units, places);
  const received = JSON.parse(text) as number;
  return received.toFixed(places) === text ? rawJSON(text) : undefined;
}

/** Reads a provider's number or decimal text. Undefined when it is no amount. */
export function readExact(value: unknown, places: number): bigint | undefined {
  if (typeof value === 'string') return readDecimal(value, places);
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  const text = value.toFixed(places);
  return JSON.parse(text) === value ? readDecimal(text, places) : undefined;
}

/** 1005n with two places is "10.05". */
export function decimalText(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function readDecimal(text: string, places: number): bigint | undefined {
  const [, whole, part = ''] = /^(\d{1,18})(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = part.slice(0, places);
  const isExact = /^0*$/.test(part.slice(places));
  return whole === undefined || !isExact ? undefined : BigInt(whole + digits.padEnd(places, '0'));
}
