//! What must be true at the end of a round, by the journal of the sandbox and by the auditor.
import { openJournal } from '../../harness/journal.ts';
import { tally } from '../../harness/report.ts';
import { auditOnce } from '../../harness/run.ts';
import { listPayments, type Payment, type Run } from './environment.ts';
import { findMissing, type Load } from './load.ts';
import { type Finding, readFindings } from './recovery.ts';
import { reportedOf } from './reported.ts';

export interface Verdict {
  readonly paid: number;
  readonly twice: number;
  /** Confirmed to the client, and not in the database; and those of them that are reported. */
  readonly missing: number;
  readonly reported: number;
  readonly missingText: string;
  /** What the recovery has left to a person. */
  readonly findings: number;
  /** Rows that the auditor finds when it compares the books with the journal. */
  readonly differences: number;
  readonly wrong: readonly string[];
}

/** It said no more than the provider's record, which is read again. */
const LOST_NOTIFICATION = /^provider=\S+ event=\S+ status=null$/;
const CONTRACT = /\bC[A-Z2-7]{55}\b/g;

/** Of an order with one release; the network takes each once. */
const ONCE = ['deploy', 'fund', 'release'];

export async function reach(run: Run, load: Load): Promise<Verdict> {
  const requested = new Set(load.amounts);
  const payments = (await listPayments(run)).filter(({ amount }) => requested.has(amount));
  const findings = await readFindings(run);
  const wrong: string[] = [];
  const counts = tally(payments.map(({ amount }) => amount));
  const twice = counts.filter(([, times]) => times > 1);
  for (const [amount, times] of twice) wrong.push(`${amount} was paid ${times} times`);
  wrong.push(...(await unsettledOf(run, payments, findings)));
  wrong.push(...(await repeatedEffects(run, load)));
  const { databaseUrl, sandbox } = run;
  const [books, compared] = await Promise.all([
    auditOnce({ databaseUrl }),
    auditOnce({ databaseUrl, sandbox }),
  ]);
  wrong.push(...books.faults.map((fault) => `books: ${fault}`));
  const differences = rowsOf(compared.faults);
  const explained = [...namesOf(findings), ...(await recoveredHashes(run))];
  const other = differences.filter(
    (row) => !LOST_NOTIFICATION.test(row) && !explained.some((name) => row.includes(name)),
  );
  wrong.push(...other.map((row) => `a difference that is not explained: ${row}`));
  const missing = await findMissing(run.monitor, load.acknowledged);
  const reported = reportedOf(findings, missing);
  for (const each of missing.filter((one) => !reported.includes(one)))
    wrong.push(
      `the ${each.kind} ${each.id} is missing and not reported: request ${each.requestId}`,
    );
  return {
    ...{ paid: counts.length, twice: twice.length, findings: findings.length, wrong },
    missing: missing.length,
    reported: reported.length,
    missingText: tally(missing.map(({ kind }) => kind))
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', '),
    differences: differences.length,
  };
}

/** Every payment out has ended its withdrawal, or a finding names it. */
async function unsettledOf(
  { monitor }: Run,
  payments: readonly Payment[],
  findings: readonly Finding[],
): Promise<string[]> {
  const { rows } = await monitor.query<{ amount: string; status: string; hash: string | null }>(
    `select to_char(amount / 100.0, 'FM999990.00') as amount, status, transaction_hash as hash
     from withdrawal`,
  );
  const withdrawals = new Map(rows.map((row) => [row.amount, row]));
  const named = new Set(namesOf(findings));
  const wrong: string[] = [];
  for (const { amount, txHash, code } of payments) {
    const { status, hash } = withdrawals.get(amount) ?? { status: 'not here', hash: null };
    const isEnded = status === 'WITHDRAWAL_COMPLETED' && (txHash === undefined || txHash === hash);
    if (isEnded || named.has(txHash ?? code ?? '')) continue;
    wrong.push(`${amount} was paid by ${txHash ?? code}; its withdrawal is ${status}`);
  }
  return wrong;
}

/** Also the contracts, which have no record here. */
function namesOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ reference, resourceId, detail }) =>
    [reference, resourceId ?? [], detail.match(CONTRACT) ?? []].flat(),
  );
}

/** Of transactions that belong to no request here, and that the recovery has stored. */
async function recoveredHashes({ monitor }: Run): Promise<string[]> {
  const { rows } = await monitor.query<{ hash: string }>(
    `select hash from envelope where purpose ~ '^recovered:'`,
  );
  return rows.map(({ hash }) => hash);
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
