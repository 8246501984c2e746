//! Migrations that no release has, one of each kind, so that the rehearsal has something to do
//! even if the newest release changes nothing.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FUNCTIONS = join(import.meta.dirname, '../../../apps/server/src/platform/database/functions');

/** The file names and texts, with the numbers after the newest one. */
export function rehearsedMigrations(present: readonly string[]): Map<string, string> {
  const newest = Number(present.toSorted().at(-1)?.slice(0, 4));
  return new Map(
    kinds().map(([name, text], at) => [
      `${String(newest + 1 + at).padStart(4, '0')}_rehearsed_${name}.sql`,
      text,
    ]),
  );
}

function kinds(): [name: string, text: string][] {
  return [
    // On the table that every balance call updates.
    ['column', 'alter table account add column rehearsed bigint not null default 0;\n'],
    ['journal_column', 'alter table entry add column rehearsed text;\n'],
    [
      'index.online',
      `create index concurrently entry_rehearsed_idx on entry (marketplace_id, created_at);
       create index concurrently account_rehearsed_idx on account (updated_at);\n`,
    ],
    [
      'check',
      `alter table account add constraint account_rehearsed_check check (rehearsed >= 0) not valid;\n`,
    ],
    ['validated.online', 'alter table account validate constraint account_rehearsed_check;\n'],
    ['functions', replacedFunctions()],
  ];
}

/** The functions of every balance call, with other bodies that do the same. */
function replacedFunctions(): string {
  return globSync('books/balances/*.sql', { cwd: FUNCTIONS })
    .toSorted()
    .map((file) => readFileSync(join(FUNCTIONS, file), 'utf8'))
    .map((text) => text.replace(/ as \$\$|\nas \$\$/, '$&\n-- Rehearsed.\n'))
    .join('\n');
}
