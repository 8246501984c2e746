//! The type of an invariant, and the functions that run its checks on the database.

import type { ExternalState } from './external-state.ts';
import type { History } from './history.ts';
import type { Journal } from './journal.ts';

/** As PostgreSQL writes it: an entry's id is more than a JavaScript number can hold. */
export type Row = Record<string, string | null>;

/** The snapshot that every check reads. */
export interface Sql {
  rows(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The number of rows in a table, counted once per audit. */
  count(table: string): Promise<number>;
  readonly history: History | undefined;
  readonly journal: Journal | undefined;
  readonly external: ExternalState | undefined;
  readonly isConverged: boolean;
}

export interface Finding {
  readonly claim: string;
  /** The number of rows that were checked. */
  readonly checked: number;
  /** The number of broken rows, and the ids of the first few. */
  readonly broken: number;
  readonly rows: readonly Row[];
  readonly elapsedMs: number;
  /** Why the check was skipped; a skipped check is printed, never reported as ok. */
  readonly skipped?: string;
}

export interface Invariant {
  readonly id: string;
  readonly claim: string;
  check(sql: Sql): Promise<Finding[]>;
}

export interface Check {
  readonly claim: string;
  /** The table whose rows are checked, or their number. */
  readonly of: string | number;
  /** A query for the broken rows, each with the ids to find it by. */
  readonly broken: string;
  readonly values?: readonly unknown[];
}

const ROWS_SHOWN = 10;

export async function find(sql: Sql, { claim, of, broken, values = [] }: Check): Promise<Finding> {
  const startedAt = performance.now();
  const found = await sql.rows(
    `select broken.*, count(*) over () as broken_rows from (${broken}) as broken
     order by broken limit ${ROWS_SHOWN}`,
    values,
  );
  const { broken_rows: total } = found[0] ?? {};
  const rows = found.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'broken_rows')),
  );
  const checked = typeof of === 'number' ? of : await sql.count(of);
  const elapsedMs = performance.now() - startedAt;
  return { claim, checked, broken: Number(total ?? 0), rows, elapsedMs };
}

/** Sequentially: the checks share one connection and one snapshot. */
export async function findAll(sql: Sql, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(await find(sql, check));
  return findings;
}

/** Finds repeated keys in a table. A valid unique index already proves that there are none. */
export async function findRepeats(sql: Sql, table: string, key: readonly string[]) {
  const columns = key.join(', ');
  const [index] = await sql.rows(
    `select from pg_index where indrelid = $1::regclass and indisunique and indisvalid
       and indpred is null and indexprs is null and indnkeyatts = cardinality($2::text[])
       and (select array_agg(attname::text order by attname) from pg_attribute
         where attrelid = indrelid and attnum = any (indkey)) = $2::text[]`,
    [table, [...key].sort()],
  );
  return find(sql, {
    claim: `no (${columns}) twice in ${table}${index ? ', by its unique index' : ''}`,
    of: table,
    broken: `select ${columns}, count(*) as times from ${table} where ${index === undefined}
      group by ${columns} having count(*) > 1`,
  });
}

export function skip(claim: string, why: string): Finding {
  return { claim, checked: 0, broken: 0, rows: [], elapsedMs: 0, skipped: why };
}

/** Named rules for a row: one pass over a table finds every breach. */
export function breaches(rules: Readonly<Record<string, string>>): { wrong: string; any: string } {
  const each = Object.entries(rules);
  const named = each.map(([name, rule]) => `case when (${rule}) is not true then '${name}' end`);
  return {
    wrong: `array_to_string(array[${named.join(', ')}], ', ')`,
    // A rule that evaluates to null counts as broken.
    any: `(${each.map(([, rule]) => `(${rule})`).join(' and ')}) is not true`,
  };
}
