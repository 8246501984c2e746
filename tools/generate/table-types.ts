//! Row types read off a migrated database: a renamed column is a type error where it is read.
import type pg from 'pg';
import { TABLES_HEADER } from './header.ts';

export const TABLES = 'apps/server/src/platform/database/generated/tables.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** The check constraints on this column alone. */
  readonly checks: readonly string[];
}

/** What the pool of platform/database.ts returns for each type of PostgreSQL. */
const TYPES: Readonly<Record<string, string>> = {
  text: 'string',
  uuid: 'string',
  numeric: 'string',
  int8: 'Int8',
  int4: 'number',
  int2: 'number',
  bool: 'boolean',
  timestamptz: 'Instant',
  pg_lsn: 'string',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
  _text: 'string[]',
};

const PREAMBLE = `//! ${TABLES_HEADER}
import type { Instant } from '@holdfast/kernel/clock';

/** BIGINT, which the driver returns as text. */
type Int8 = string;
/** Any value that a document may hold. */
type Json = NonNullable<unknown>;
`;

/** The whole text of the file. */
export async function tableTypes(database: pg.Client): Promise<string> {
  const columns = await readColumns(database);
  const tables = Map.groupBy(columns, ({ table }) => table);
  const bodies = [...tables].map(([table, own]) =>
    [`  ${table}: {`, ...own.map(lineOf), '  };'].join('\n'),
  );
  const listed = ['/** Each table, and its columns as the driver returns them. */']
    .concat('export interface Tables {', bodies, '}', '')
    .join('\n');
  return `${PREAMBLE}\n${listed}`;
}

/** Partitions have the columns of their table; the runner of migrations owns its own. */
async function readColumns(database: pg.Client): Promise<Column[]> {
  const { rows } = await database.query<Column>(`
    select c.relname as table, a.attname as name, t.typname as type, a.attnotnull as required,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        order by k.conname) as checks
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> 'schema_migration'
    order by c.relname collate "C", a.attnum`);
  return rows;
}

const COLUMNS_MAX = 100;

/** As the formatter would have it: a union that is too long for a line has a line for each part. */
function lineOf(column: Column): string {
  const parts = [...partsOf(column), ...(column.required ? [] : ['null'])];
  const line = `    ${column.name}: ${parts.join(' | ')};`;
  if (line.length <= COLUMNS_MAX) return line;
  return `    ${column.name}:${parts.map((part) => `\n      | ${part}`).join('')};`;
}

function partsOf({ table, name, type, checks }: Column): string[] {
  const listed = checks.map(valuesIn).find((values) => values !== undefined);
  if (listed !== undefined) return listed;
  const known = TYPES[type];
  if (known === undefined)
    throw new Error(`${table}.${name} is a ${type}: add it to table-types.ts`);
  return [known];
}

const LIST = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/;
const TEXT = /^('[\w. -]+')::text$/;

/** The texts that a check lists; undefined for any other check. */
function valuesIn(check: string): string[] | undefined {
  const values = LIST.exec(check)?.[1]
    ?.split(', ')
    .map((item) => TEXT.exec(item)?.[1]);
  return values?.every((value) => value !== undefined) ? values : undefined;
}
