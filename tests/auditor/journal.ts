//! The journal of external effects, read from the sandbox at `--sandbox`.

export interface JournalEntry {
  readonly seq: number;
  readonly effect: string;
  readonly orderId?: string;
  /** Our reference for a pay-in or a payout. */
  readonly code?: string;
  readonly contractId?: string;
  readonly txHash?: string;
  /** In whole units, as decimal text. */
  readonly amount?: string;
  /** Of the amount, what the payment provider kept. */
  readonly fee?: string;
  readonly milestoneIndex?: number;
  readonly from?: string;
  readonly to?: string;
  readonly asset?: string;
}

export type Journal = readonly JournalEntry[];

export async function readJournal(sandbox: string): Promise<Journal> {
  const response = await fetch(`${sandbox}/control/journal`);
  if (!response.ok) throw new Error(`the sandbox returned ${response.status}`);
  const { entries } = (await response.json()) as { entries: Journal };
  return entries;
}

/** The journal as a table `journal`; it is the first value of the query. */
export const JOURNAL = `jsonb_to_recordset($1::jsonb) as journal (seq bigint, effect text,
  "orderId" text, code text, "contractId" text, "txHash" text, amount numeric, fee numeric,
  "milestoneIndex" int, "from" text, "to" text, asset text)`;

export function journalValues(journal: Journal): readonly unknown[] {
  return [JSON.stringify(journal)];
}

export const NO_JOURNAL = 'not part of this check: requires the sandbox';
