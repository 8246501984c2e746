//! Response views of statements, sent piece by piece: JSON in the usual envelope, or a table.
import type { StatementView } from '@holdfast/contract/records/statement-records';
import { instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';
import type { getUserStatement } from '../../../assurance/statements/get-user-statement.ts';

type Statement = Awaited<ReturnType<typeof getUserStatement>>;
type StatementLine = Statement['lines'] extends AsyncIterable<infer L> ? L : never;
type Sums = Statement['opening'];
type LineView = StatementView['lines'][number];

function sumsView({ available, reserved }: Sums): LineView['balance'] {
  return {
    available: minorText(available),
    reserved: minorText(reserved),
    total: minorText(available + reserved),
  };
}

function lineView(line: StatementLine): LineView {
  const { entryId, at, kind, subjectId, reference, note, change, balance } = line;
  return {
    entryId,
    at: instantText(at),
    kind,
    subjectId,
    reference,
    note,
    change: sumsView(change),
    balance: sumsView(balance),
  };
}

/** Everything but the lines, which come last. */
function headView(statement: Statement): Omit<StatementView, 'lines'> {
  const { subjectType, subjectId, currency, from, to, opening, closing } = statement;
  return {
    subjectType,
    subjectId,
    currency,
    from: instantText(from),
    to: instantText(to),
    opening: sumsView(opening),
    closing: sumsView(closing),
  };
}

export async function* statementJson(statement: Statement, meta: object): AsyncIterable<string> {
  const head = JSON.stringify(headView(statement)).slice(0, -1);
  yield `{"data":{"success":true,"data":${head},"lines":[`;
  let comma = '';
  for await (const line of statement.lines) {
    yield `${comma}${JSON.stringify(lineView(line))}`;
    comma = ',';
  }
  yield `]}},"meta":${JSON.stringify(meta)}}`;
}

const COLUMNS =
  'entry_id,at,kind,subject_id,reference,note,currency,' +
  'available_change,reserved_change,total_change,available,reserved,total';

/** The first and the last row are the opening and the closing balance. */
export async function* statementCsv(statement: Statement): AsyncIterable<string> {
  const { currency, from, to, opening, closing } = statement;
  yield `${COLUMNS}\r\n`;
  yield balanceRow('opening', from === null ? '' : instantText(from), currency, opening);
  for await (const line of statement.lines) yield lineRow(line, currency);
  yield balanceRow('closing', instantText(to), currency, closing);
}

function lineRow(line: StatementLine, currency: string): string {
  const { entryId, at, kind, subjectId, reference, note, change, balance } = line;
  return row([
    entryId,
    instantText(at),
    kind,
    textCell(subjectId),
    textCell(reference),
    textCell(note),
    currency,
    ...Object.values(sumsView(change)),
    ...Object.values(sumsView(balance)),
  ]);
}

function balanceRow(kind: string, at: string, currency: string, sums: Sums): string {
  return row(['', at, kind, '', '', '', currency, '', '', '', ...Object.values(sumsView(sums))]);
}

/** A spreadsheet would run text that starts like a formula. */
function textCell(text: string | null): string {
  if (text === null) return '';
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function row(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
