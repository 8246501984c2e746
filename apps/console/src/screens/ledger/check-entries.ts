//! Recomputes the running balance of an account from the entries on the page.
import type { LedgerEntry } from '@holdfast/sdk';
import { decimalText, unitsOf } from '#parts/money/decimal.ts';

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
  readonly entries: number;
  /** How many steps from one balance to the next were recomputed. */
  readonly checked: number;
  /** The first entry whose balance does not follow from the one before. */
  readonly wrong: { readonly entryId: string; readonly message: string } | undefined;
  /** The marketplace's own accounts keep no running balance: there is nothing to compare. */
  readonly isPossible: boolean;
}

/** The entries newest first, as the list gives them. */
export function checkEntries(entries: readonly LedgerEntry[], accountId: string): EntryCheck {
  const { length } = entries;
  let checked = 0;
  for (const [at, entry] of entries.entries()) {
    const before = entries[at + 1];
    if (before === undefined) break;
    const now = balanceAfter(entry, accountId);
    const then = balanceAfter(before, accountId);
    if (now === undefined || then === undefined) {
      return { entries: length, checked, wrong: undefined, isPossible: false };
    }
    const effect = effectOn(entry, accountId);
    const available = then.available + effect.available;
    const reserved = then.reserved + effect.reserved;
    if (available !== now.available || reserved !== now.reserved) {
      const show = (units: bigint) => `${decimalText(units)} ${entry.currency}`;
      const message = `Expected ${show(available)} available and ${show(reserved)} reserved; the entry shows ${show(now.available)} and ${show(now.reserved)}. Contact the team that runs your Holdfast server.`;
      return { entries: length, checked, wrong: { entryId: entry.id, message }, isPossible: true };
    }
    checked += 1;
  }
  return { entries: length, checked, wrong: undefined, isPossible: length > 0 };
}

function balanceAfter(entry: LedgerEntry, accountId: string): EntryEffect | undefined {
  const side = [entry.to, entry.from].find((one) => one.accountId === accountId);
  if (side === undefined || side.available === null || side.reserved === null) return undefined;
  return { available: unitsOf(side.available), reserved: unitsOf(side.reserved) };
}
