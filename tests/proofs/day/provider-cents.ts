//! Explains the balance at the payment provider: each line by the provider's own journal, and the
//! same by the books.
import { minorText } from '@holdfast/kernel/money';
import type { Pool } from 'pg';
import { OPENING_CENTS } from '../../../apps/sandbox/src/payment/balance.ts';
import { JOURNAL, journalValues, readJournal } from '../../auditor/journal.ts';
import { print, tableText } from '../../harness/report.ts';
import { control } from '../../harness/sandbox.ts';

interface Line {
  readonly name: string;
  /** What it adds to the balance, in cents. */
  readonly theirs: string;
  readonly ours: string;
}

const OF_EFFECTS = (added: string, taken: string, column = 'amount') => `
  (select coalesce(sum(case when effect = any('{${added}}') then ${column}
     when effect = any('{${taken}}') then -${column} else 0 end), 0) * 100 from ${JOURNAL})`;

const OF_ENTRIES = (added: string, taken: string) => `
  (select coalesce(sum(case when kind = '${added}' then amount
     when kind = '${taken}' then -amount else 0 end), 0) from entry)`;

const OF_TOPUPS = (sum: string) => `(select coalesce(sum(${sum}), 0) from topup)`;

// biome-ignore format: a table.
const LINES: readonly (readonly [name: string, theirs: string, ours: string])[] = [
  ['paid in',  OF_EFFECTS('payment.payin.confirm', ''), OF_TOPUPS('credited + suspended')],
  ['fees',     OF_EFFECTS('', 'payment.payin.confirm', 'coalesce(fee, 0)'), OF_TOPUPS('-booked_fee')],
  ['reversed', OF_EFFECTS('payment.payin.reinstate', 'payment.payin.reverse'), OF_TOPUPS('-booked_reversal')],
  ['paid out', OF_EFFECTS('', 'payment.payout.complete'), OF_ENTRIES('', 'withdrawal_payout')],
  ['returned', OF_EFFECTS('payment.payout.return', ''), OF_ENTRIES('withdrawal_return', '')],
];

/** To the treasury on the network, which both sides record as the same movement. */
const TO_TREASURY = OF_EFFECTS('payment.withdrawal.fail', 'payment.withdrawal.create');

export async function explainCents(monitor: Pool, sandbox: string): Promise<string[]> {
  const journal = await readJournal(sandbox);
  const columns = LINES.map(
    ([, theirs, ours], at) => `${theirs}::bigint::text as theirs_${at},
    ${ours}::bigint::text as ours_${at}`,
  );
  const { rows } = await monitor.query<Record<string, string>>(
    `select ${columns.join(',\n')}, ${TO_TREASURY}::bigint::text as treasury`,
    [...journalValues(journal)],
  );
  const sums = rows[0] ?? {};
  const lines = LINES.map(
    ([name], at): Line => ({
      name,
      theirs: sums[`theirs_${at}`] ?? '',
      ours: sums[`ours_${at}`] ?? '',
    }),
  );
  const { balance } = await control<{ balance: { available: string; pending: string } }>(
    sandbox,
    '/state',
  );
  const held = centsOf(balance.available) + centsOf(balance.pending);
  const moved = BigInt(sums['treasury'] ?? 0);
  const explained = lines.reduce((sum, { ours }) => sum + BigInt(ours), OPENING_CENTS + moved);
  print(
    tableText([
      ['at the provider', 'its journal', 'our books'],
      ['opening', minorText(OPENING_CENTS), minorText(OPENING_CENTS)],
      ...lines.map(({ name, theirs, ours }) => [
        name,
        minorText(BigInt(theirs)),
        minorText(BigInt(ours)),
      ]),
      ['to the treasury', minorText(moved), minorText(moved)],
      ['balance', minorText(held), minorText(explained)],
    ]),
  );
  return [
    ...lines.filter(({ theirs, ours }) => theirs !== ours).map(({ name }) => `${name} differs`),
    ...(held === explained
      ? []
      : [`${minorText(held - explained)} at the provider is unexplained`]),
    ...lines.filter(({ theirs }) => BigInt(theirs) === 0n).map(({ name }) => `nothing was ${name}`),
  ];
}

function centsOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
