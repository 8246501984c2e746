//! What must be true at the end of a round, by the journal of the sandbox and by the auditor.
import { openJournal } from '../../harness/journal.ts';
import { tally } from '../../harness/report.ts';
import { auditOnce } from '../../harness/run.ts';
import { type Run, readPayments } from './environment.ts';
import { findMissing, type Load } from './load.ts';
import { reportedOf } from './reported.ts';

export interface Verdict {
  readonly paid: number;
  readonly twice: number;
  /** Confirmed to the client, and not in the database; and those of them that are reported. */
  readonly missing: number;
  readonly reported: number;
  readonly missingText: string;
  /** Rows that the auditor finds when it compares the books with the journal. */
  readonly differences: number;
  readonly wrong: readonly string[];
}

/** Of an order with one release; the network takes each once. */
const ONCE = ['deploy', 'fund', 'release'];

export async function reach(run: Run, load: Load, moving: readonly string[]): Promise<Verdict> {
  const requested = new Set(load.amounts);
  const payments = [...(await readPayments(run))].filter(([amount]) => requested.has(amount));
  const wrong: string[] = [];
  const twice = payments.filter(([, times]) => times > 1);
  for (const [amount, times] of twice) wrong.push(`${amount} was paid ${times} times`);
  wrong.push(...(await repeatedEffects(run, load)));
  const { databaseUrl, sandbox } = run;
  const books = await auditOnce({ databaseUrl });
  wrong.push(...books.faults.map((fault) => `books: ${fault}`));
  const compared = await auditOnce({ databaseUrl, sandbox });
  const differences = rowsOf(compared.faults);
  // What the database has nothing of, and what still waits for an account that is barred.
  const open = moving.flatMap((text) => text.match(/\w+_[0-9a-z]{20,}/g) ?? []);
  const isLost = (row: string) => /=null( |$)/.test(row) || open.some((id) => row.includes(id));
  const other = differences.filter((row) => !isLost(row));
  wrong.push(...other.map((row) => `a difference that is not explained: ${row}`));
  const missing = await findMissing(run.monitor, load.acknowledged);
  const reported = await reportedOf(run, missing);
  return {
    ...{ paid: payments.length, twice: twice.length, wrong },
    missing: missing.length,
    reported: reported.length,
    missingText: tally(missing.map(({ kind }) => kind))
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', '),
    differences: differences.length,
  };
}

/** A row has the values that differ; the lines above name the check. */
function rowsOf(faults: readonly string[]): string[] {
  return faults.filter((line) => line.startsWith('   ')).map((line) => line.trim());
}

async function repeatedEffects({ sandbox }: Run, { orderIds }: Load): Promise<string[]> {
  const journal = openJournal(sandbox);
  const wrong: string[] = [];
  for (const id of orderIds) {
    const effects = await journal.effectsOf(id);
    for (const name of ONCE) {
      const times = effects.get(name) ?? 0;
      if (times > 1) wrong.push(`${id} had ${times} times ${name}`);
    }
  }
  return wrong;
}
