//! Recomputes the running balance of an account from its entries, as far as they are on the page.
import type { LedgerEntry } from '@holdfast/sdk';
import { decimalText, unitsOf } from '#parts/decimal.ts';

export interface EntryEffect {
  readonly available: bigint;
  readonly reserved: bigint;
}

/** What an entry did to an account: it may stand on either side, or on both. */
export function effectOn(entry: LedgerEntry, accountId: string): EntryEffect {
  const amount = unitsOf(entry.amount);
  const effect = { available: 0n, reserved: 0n };
  if (entry.from.accountId === accountId) effect[entry.from.bucket] -= amount;
  if (entry.to.accountId === accountId) effect[entry.to.bucket] += amount;
  return effect;
}

export interface EntryCheck {
  /** How many steps from one balance to the next were recomputed. */
  readonly checked: number;
  /** The first entry whose balance does not follow from the one before. */
  readonly wrong: { readonly entryId: string; readonly says: string } | undefined;
  /** The marketplace's own accounts keep no running balance: there is nothing to compare. */
  readonly isPossible: boolean;
}

/** The entries newest first, as the list gives them. */
export function checkEntries(entries: readonly LedgerEntry[], accountId: string): EntryCheck {
  let checked = 0;
  for (const [at, entry] of entries.entries()) {
    const before = entries[at + 1];
    if (before === undefined) break;
    const now = balanceAfter(entry, accountId);
    const then = balanceAfter(before, accountId);
    if (now === undefined || then === undefined) {
      return { checked, wrong: undefined, isPossible: false };
    }
    const effect = effectOn(entry, accountId);
    const available = then.available + effect.available;
    const reserved = then.reserved + effect.reserved;
    if (available !== now.available || reserved !== now.reserved) {
      const says = `expected ${decimalText(available)} available and ${decimalText(reserved)} reserved`;
      return { checked, wrong: { entryId: entry.id, says }, isPossible: true };
    }
    checked += 1;
  }
  return { checked, wrong: undefined, isPossible: entries.length > 0 };
}

function balanceAfter(entry: LedgerEntry, accountId: string): EntryEffect | undefined {
  const side = [entry.to, entry.from].find((one) => one.accountId === accountId);
  if (side === undefined || side.available === null || side.reserved === null) return undefined;
  return { available: unitsOf(side.available), reserved: unitsOf(side.reserved) };
}
