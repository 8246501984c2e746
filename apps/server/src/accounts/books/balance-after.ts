//! A user's balance after a posting function of the books has run.
import { assert } from '@holdfast/kernel/assert';
import type { Currency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';
import type { Query } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** Both parts of a user's balance after a posting. */
export interface BalanceAfter {
  readonly available: Money;
  readonly reserved: Money;
}

/** Not done where too little money is there; the balance is then as before. */
export interface PostingResult extends BalanceAfter {
  readonly isDone: boolean;
}

export async function runPosting(
  tx: Tx,
  { currency }: { readonly currency: Currency },
  query: Query,
): Promise<PostingResult> {
  const [row] = await tx.query<{ entry_id: string | null; available: string; reserved: string }>(
    query,
  );
  assert(row !== undefined, 'a posting function returns a row');
  return {
    isDone: row.entry_id !== null,
    available: Money.ofMinor(BigInt(row.available), currency),
    reserved: Money.ofMinor(BigInt(row.reserved), currency),
  };
}
