//! Exact arithmetic on the wire's amounts, in whole cents as bigint.

const AMOUNT = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/;

/** Undefined for what is no decimal of at most two places. */
export function centsOf(text: string): bigint | undefined {
  const [, sign, whole, part = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const cents = BigInt(whole + part.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** The wire form: two places, no grouping. */
export function textOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** For people: the same digits with thousands apart. Any number of places stays as it is. */
export function grouped(amount: string): string {
  const [whole = '', part] = amount.split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? spaced : `${spaced}.${part}`;
}

export interface Split {
  readonly releaseCents: bigint;
  readonly refundCents: bigint;
}

/** Two parts of a whole, by what the seller gets; it stays within the whole. */
export function splitAt(wholeCents: bigint, releaseCents: bigint): Split {
  const clamped = releaseCents < 0n ? 0n : releaseCents > wholeCents ? wholeCents : releaseCents;
  return { releaseCents: clamped, refundCents: wholeCents - clamped };
}

/** By hundredths of a percent, the resolution of a slider; the buyer gets the rest. */
export function splitByShare(wholeCents: bigint, basisPoints: number): Split {
  return splitAt(wholeCents, (wholeCents * BigInt(Math.round(basisPoints))) / 10_000n);
}

/** Where a slider stands for a split, in hundredths of a percent. */
export function shareOf({ releaseCents, refundCents }: Split): bigint {
  const whole = releaseCents + refundCents;
  return whole === 0n ? 0n : (releaseCents * 10_000n) / whole;
}

/** How large a part is, in thousandths of the whole: for pictures, never for money. */
export function perMille(part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : (part * 1000n) / whole;
}
