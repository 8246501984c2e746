//! Lists every fee that was taken in a period: GET /reports/fees.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { Call } from '../../platform/call.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { type Period, type PeriodQuery, readPeriod } from './period.ts';
import { checkedLines, checkLength, type Statement, type StatementLine } from './statement.ts';

export async function getFeeReport(
  app: Transactor,
  call: Call,
  query: PeriodQuery & { readonly currency?: Currency },
): Promise<Statement> {
  const { currency = BASE_CURRENCY } = query;
  const period = readPeriod(query, app.clock.now());
  const { before, within } = await read(app, call, (tx) => sumFees(tx, currency, period));
  const opening = { available: before, reserved: 0n };
  const closing = { available: before + within, reserved: 0n };
  const lines = checkedLines(opening, closing, feeLines(app, call, currency, period, before));
  return {
    subjectType: 'FeeIncome',
    subjectId: null,
    currency,
    ...period,
    opening,
    closing,
    lines,
  };
}

/** The sum of all fees must equal the fee account; else another posting touched it. */
async function sumFees(tx: Tx, currency: Currency, { from, to }: Period) {
  const [row] = await tx.query<Record<'before' | 'within' | 'all' | 'booked', string>>(sql`
    select coalesce(sum(amount) filter (where id < books.entry_id_floor(${timeOf(from)})), 0) as before,
      coalesce(sum(amount) filter (where id >= books.entry_id_floor(${timeOf(from)})
        and id < books.entry_id_floor(${instantText(to)})), 0) as within,
      coalesce(sum(amount), 0) as all,
      (select coalesce(sum(p.delta), 0) from house_delta p
        join account a on a.marketplace_id = p.marketplace_id and a.id = p.account_id
        where p.marketplace_id = ${tx.marketplace} and a.kind = 'fee_income'
          and a.currency = ${currency}) as booked
    from entry where marketplace_id = ${tx.marketplace} and kind = 'order_fee'
      and currency = ${currency}`);
  const { before = '0', within = '0', all = '0', booked = '0' } = row ?? {};
  if (BigInt(all) !== BigInt(booked))
    refuse('STATEMENT_UNBALANCED', {
      reason: 'the fees do not add up to the balance of the fee account',
    });
  const [counted] = await tx.query<{ lines: number }>(sql`
    select count(*)::int as lines from entry
    where marketplace_id = ${tx.marketplace} and kind = 'order_fee' and currency = ${currency}
      and id >= books.entry_id_floor(${timeOf(from)}) and id < books.entry_id_floor(${instantText(to)})`);
  checkLength(counted?.lines ?? 0);
  return { before: BigInt(before), within: BigInt(within) };
}

const PAGE = 500;

type FeeRow = Row<'entry', 'id' | 'subject_id' | 'amount' | 'created_at'>;

async function* feeLines(
  app: Transactor,
  call: Call,
  currency: Currency,
  { from, to }: Period,
  before: bigint,
): AsyncIterable<StatementLine> {
  let [after, sum] = ['-1', before];
  for (;;) {
    const page = await read(app, call, (tx) =>
      tx.query<FeeRow>(sql`
        select id, subject_id, amount, created_at from entry
        where marketplace_id = ${tx.marketplace} and kind = 'order_fee' and currency = ${currency}
          and id >= books.entry_id_floor(${timeOf(from)}) and id < books.entry_id_floor(${instantText(to)})
          and id > ${after}
        order by id limit ${PAGE}`),
    );
    for (const row of page) {
      sum += BigInt(row.amount);
      yield feeLine(row, sum);
    }
    const last = page.at(-1)?.id;
    if (last === undefined) return;
    after = last;
  }
}

function feeLine({ id, subject_id, amount, created_at }: FeeRow, sum: bigint): StatementLine {
  return {
    entryId: id,
    at: created_at,
    kind: 'order_fee',
    subjectId: subject_id,
    reference: null,
    note: null,
    change: { available: BigInt(amount), reserved: 0n },
    balance: { available: sum, reserved: 0n },
  };
}

/** Before everything. */
const timeOf = (from: Instant | null) => instantText(from ?? 0);
