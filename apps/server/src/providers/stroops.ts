//! Stroops, the network's seven places, and the books' cents: the only place where one becomes the
//! other, exactly.
import type { Money } from '@holdfast/kernel/money';

const STROOPS_PER_MINOR = 100_000n;
const PLACES = 7;

export function stroopsOf({ minor }: Money): bigint {
  return minor * STROOPS_PER_MINOR;
}

/** The same for what may be less than nothing. */
export function stroopsOfMinor(minor: bigint): bigint {
  return minor * STROOPS_PER_MINOR;
}

/** What books call so much, and what is too little for them to count. */
export function minorOf(stroops: bigint): { readonly minor: bigint; readonly dust: bigint } {
  return { minor: stroops / STROOPS_PER_MINOR, dust: stroops % STROOPS_PER_MINOR };
}

/** Downwards, also below zero: dust is never less than nothing. */
export function floorMinorOf(stroops: bigint): { readonly minor: bigint; readonly dust: bigint } {
  const { minor, dust } = minorOf(stroops);
  return dust < 0n ? { minor: minor - 1n, dust: dust + STROOPS_PER_MINOR } : { minor, dust };
}

/** Of what a schema has checked: up to seven places, with a sign when it is negative. */
export function readSignedStroops(text: string): bigint {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  const stroops = BigInt(whole + part.padEnd(PLACES, '0'));
  return text.startsWith('-') ? -stroops : stroops;
}

/** As the network writes amounts: always with seven places. */
export function stroopsText(stroops: bigint): string {
  const sign = stroops < 0n ? '-' : '';
  const digits = (stroops < 0n ? -stroops : stroops).toString().padStart(PLACES + 1, '0');
  return `${sign}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}
