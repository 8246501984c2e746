//! Amounts of the ledger: whole stroops in code, decimal text with up to seven places on the wire.
const PLACES = 7;
const UNIT = 10n ** BigInt(PLACES);

/** The largest amount that the ledger can hold. */
export const AMOUNT_MAX = 2n ** 63n - 1n;

export function readAmount(text: string): bigint {
  const found = /^(\d{1,12})(?:\.(\d{1,7}))?$/.exec(text);
  if (found === null) throw new RangeError(`${text} is no amount with at most seven places`);
  return BigInt(found[1] ?? '0') * UNIT + BigInt((found[2] ?? '').padEnd(PLACES, '0'));
}

/** As Horizon writes it: always seven places. */
export function amountText(stroops: bigint): string {
  const sign = stroops < 0n ? '-' : '';
  const size = stroops < 0n ? -stroops : stroops;
  return `${sign}${size / UNIT}.${String(size % UNIT).padStart(PLACES, '0')}`;
}

/** As people write it, for the journal: 100, 0.5. */
export function shortAmount(stroops: bigint): string {
  return amountText(stroops).replace(/\.?0+$/, '');
}
