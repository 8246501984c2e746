//! Converts between stroops, the network's seven places, and the books' cents, exactly. The only
//! file that does.
import type { Money } from '@holdfast/kernel/money';

const STROOPS_PER_MINOR = 100_000n;
const PLACES = 7;

export function stroopsOf({ minor }: Money): bigint {
  return minor * STROOPS_PER_MINOR;
}

/** The same for an amount that may be negative. */
export function stroopsOfMinor(minor: bigint): bigint {
  return minor * STROOPS_PER_MINOR;
}

/** The whole cents for the books, and the dust that is too little for them to count. */
export function minorOf(stroops: bigint): { readonly minor: bigint; readonly dust: bigint } {
  return { minor: stroops / STROOPS_PER_MINOR, dust: stroops % STROOPS_PER_MINOR };
}

/** Rounds down, also below zero, so that dust is never negative. */
export function floorMinorOf(stroops: bigint): { readonly minor: bigint; readonly dust: bigint } {
  const { minor, dust } = minorOf(stroops);
  return dust < 0n ? { minor: minor - 1n, dust: dust + STROOPS_PER_MINOR } : { minor, dust };
}

/** For a text that a schema has checked: up to seven places, with a sign when it is negative. */
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
