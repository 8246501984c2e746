//! What a migration must not do while the previous release serves: by squawk, and by rules of our
//! own for what squawk does not know.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { onlineStatements } from '../../apps/server/src/platform/database/online-migration.ts';
import type { MigrationFile } from './released.ts';

/** A comment that says why the previous release does not use what goes: `-- Contract: …`. */
const CONTRACT = /^-- Contract: \S.*$/m;
const CONTRACT_RULES = ['ban-drop-column', 'ban-drop-table', 'ban-drop-not-null'];

/** The runner sets the limits, and runs a file once: in a transaction, or after its leftovers. */
const BY_RUNNER = ['require-lock-timeout', 'require-statement-timeout', 'prefer-robust-stmts'];
/** Matters of taste, which the baseline has settled. */
const BY_BASELINE = ['prefer-bigint-over-int', 'prefer-identity', 'prefer-text-field'];

const NEVER: readonly [pattern: RegExp, reason: string][] = [
  [/\bif (not )?exists\b/i, '`if exists` hides what an earlier try left'],
  [/\b(update|delete from|truncate|merge into)\s/i, 'rows are filled by a job, 1,000 at a time'],
  [/\b(lock table|vacuum|cluster|reindex|refresh)\s/i, 'it locks the table for as long as it runs'],
  [/\bset (logged|unlogged|tablespace|access method)\b/i, 'it rewrites the table'],
  [/\bdetach partition\b/i, 'the previous release reads its rows'],
];
const BEFORE_CONTRACT: readonly [pattern: RegExp, reason: string][] = [
  [
    /\bdrop (function|procedure|type|schema|view|policy|sequence)\b/i,
    'the previous release uses it',
  ],
  [/\brevoke (?!(all|execute) on (function|procedure)\b.* from public\b)/i, 'it needs the right'],
];

/** Squawk's program; undefined on a system that it is not installed for. */
export const SQUAWK = findSquawk();

/** A sentence for each fault. */
export function checkMigrations(files: readonly MigrationFile[]): string[] {
  return [...files.flatMap(checkFile), ...repeatedIndexes(files)];
}

function checkFile({ name, text }: MigrationFile): string[] {
  const statements = withoutBodies(text);
  const isContract = CONTRACT.test(text);
  const rules = isContract ? NEVER : [...NEVER, ...BEFORE_CONTRACT];
  const found = rules.flatMap(([pattern, reason]) => {
    const [words] = pattern.exec(withoutGrants(statements)) ?? [];
    return words === undefined ? [] : [`${name}: no \`${words.trim()}\`: ${reason}`];
  });
  const isOnline = name.endsWith('.online.sql');
  return [
    ...found,
    ...(isOnline ? wrongOnline(name, text) : wrongInTransaction(name, statements)),
  ].concat(
    runSquawk(name, text, [...BY_RUNNER, ...BY_BASELINE, ...(isContract ? CONTRACT_RULES : [])]),
  );
}

/** The body of a function runs when it is called, not during the migration. */
function withoutBodies(text: string): string {
  return text.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '').replaceAll(/--.*$/gm, '');
}

/** They name rights such as `update`, and change no row. */
function withoutGrants(statements: string): string {
  return statements.replaceAll(/^grant\b[^;]*;/gim, '');
}

function wrongOnline(name: string, text: string): string[] {
  try {
    onlineStatements(text);
    return [];
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
}

function wrongInTransaction(name: string, statements: string): string[] {
  const isLong = /\b(concurrently|validate constraint)\b/i.test(statements);
  const long = `${name}: what takes long belongs into a file NNNN_name.online.sql`;
  return [...(isLong ? [long] : []), ...severalTables(name, statements)];
}

/** Each waits for its lock with the locks of those before it in hand, and traffic waits for all. */
function severalTables(name: string, statements: string): string[] {
  const named = (pattern: RegExp) => [...statements.matchAll(pattern)].map(([, table]) => table);
  const created = named(/\bcreate table (\w+)/gi);
  const altered = new Set(
    [
      ...named(/\balter table (?:only )?(\w+)/gi),
      ...named(/\b(?:create|drop) (?:constraint )?trigger \w+[^;]*? on (\w+)/gi),
      ...named(/\breferences (\w+)/gi),
    ].filter((table) => !created.includes(table)),
  );
  if (altered.size <= 1) return [];
  return [
    `${name}: locks ${[...altered].join(' and ')} in one transaction: use a migration for each`,
  ];
}

/** The runner takes an index with the name of a new one for the leftover of an earlier try. */
function repeatedIndexes(files: readonly MigrationFile[]): string[] {
  const names = files.flatMap(({ text }) =>
    [...withoutBodies(text).matchAll(/\bcreate (?:unique )?index (?:concurrently )?(\w+)/gi)].map(
      ([, name]) => name as string,
    ),
  );
  return names
    .filter((name, at) => names.indexOf(name) < at)
    .map((name) => `the name of index ${name} is used twice: choose another`);
}

interface Finding {
  readonly line: number;
  readonly rule_name: string;
  readonly message: string;
}

function runSquawk(name: string, text: string, excluded: readonly string[]): string[] {
  if (SQUAWK === undefined) return [];
  const isOnline = name.endsWith('.online.sql');
  const args = [
    ...['--reporter', 'json', '--pg-version', '15.0', '--stdin-filepath', name],
    ...['--exclude', excluded.join(',')],
    ...(isOnline ? [] : ['--assume-in-transaction']),
  ];
  const { stdout, stderr } = spawnSync(SQUAWK, args, { input: text, encoding: 'utf8' });
  if (!stdout.startsWith('[')) throw new Error(`squawk: ${stderr}${stdout}`);
  return (JSON.parse(stdout) as Finding[]).map(
    ({ line, rule_name, message }) => `${name}:${line + 1}: ${rule_name}: ${message}`,
  );
}

/** It has packages for other systems too, which the lockfile can hold once they are needed. */
function findSquawk(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@squawk-cli/linux-x64/bin/squawk');
  } catch {
    return undefined;
  }
}
