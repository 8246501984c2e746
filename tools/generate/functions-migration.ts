//! Writes the SQL functions into migrations: each is whole in a file of its own, and reaches a
//! database by a migration, in order and once, like every other change of the schema.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS, newestReleased } from '../migrations/released.ts';

const DATABASE = 'apps/server/src/platform/database';

/** Functions that migrations call or that a column's default needs, so they come before tables. */
const BEFORE_TABLES = '0002_table_functions.sql';
const NEEDED_BY_TABLES = [
  'functions/books/balance_ceiling.sql',
  'functions/books/entry_id_floor.sql',
  'functions/public/finish_partition.sql',
  'functions/public/guard_tenant_table.sql',
  'functions/public/id_floor.sql',
  'functions/public/maintain_request_log_partitions.sql',
  'functions/public/new_id.sql',
  'functions/public/create_month_partitions.sql',
];

const HEADER = `-- Functions, generated from ${DATABASE}/functions: do not edit.
-- Bodies are not checked while they are created, since each may call one that comes later.
set local check_function_bodies = off;
`;
const FOOTER = 'set local check_function_bodies = on;\n';
const BLOCK = /^-- (functions\/\S+\.sql)$/m;

/** Gives the names of those that it wrote. */
export function writeFunctionsMigrations(root: string, released?: string): string[] {
  const written = functionsMigrations(root, released);
  for (const [name, text] of written) writeFileSync(join(root, MIGRATIONS, name), text);
  return [...written.keys()];
}

/** Every migration of functions that no release has brought yet: its name, and its whole text. */
export function functionsMigrations(
  root: string,
  released = newestReleased(),
): Map<string, string> {
  const files = readSql(join(root, DATABASE), 'functions/**/*.sql');
  const migrations = readSql(join(root, MIGRATIONS), '*.sql');
  const written = new Map<string, string>();
  const write = (name: string, functions: [path: string, text: string][]) => {
    written.set(name, migrationOf(functions));
    migrations.set(name, migrationOf(functions));
  };
  if (BEFORE_TABLES > released)
    write(
      BEFORE_TABLES,
      [...files].filter(([path]) => NEEDED_BY_TABLES.includes(path)),
    );
  const names = [...migrations.keys()].sort();
  const newest = newestOf(names, released);
  const earlier = names.filter((name) => name < newest).map((name) => migrations.get(name) ?? '');
  const created = createdBy(earlier);
  const changed = [...files].filter(([path, text]) => statementOf(text) !== created.get(path));
  if (changed.length > 0 || migrations.has(newest)) write(newest, changed);
  return written;
}

function readSql(folder: string, pattern: string): Map<string, string> {
  const paths = globSync(pattern, { cwd: folder }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The newest functions migration, or the next number where a release has brought that. */
function newestOf(names: readonly string[], released: string): string {
  const newest = names.findLast((name) => /^\d{4}_functions\.sql$/.test(name));
  if (newest !== undefined && newest > released) return newest;
  const next = Number(names.at(-1)?.slice(0, 4)) + 1;
  return `${String(next).padStart(4, '0')}_functions.sql`;
}

/** The statements that these migrations leave each function with, by its file. */
function createdBy(migrations: readonly string[]): Map<string, string> {
  const created = new Map<string, string>();
  for (const text of migrations) {
    const [, ...blocks] = text.replace(FOOTER, '').split(BLOCK);
    for (let at = 0; at + 1 < blocks.length; at += 2)
      created.set(blocks[at] as string, statementOf(blocks[at + 1] as string));
  }
  return created;
}

/** Without the comment above it: a comment alone needs no migration. */
function statementOf(text: string): string {
  return text.slice(text.indexOf('create or replace')).trim();
}

function migrationOf(functions: readonly [path: string, text: string][]): string {
  const blocks = functions.map(([path, text]) => `-- ${path}\n${text}`);
  return [HEADER, ...blocks, FOOTER].join('\n');
}
