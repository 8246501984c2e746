//! The migrations that a database may have applied, with the hashes of their files: none of them
//! changes again. `node tools/migrations/released.ts` adds the newer ones, with each release.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
export const MIGRATIONS = 'apps/server/src/platform/database/migrations';
const LIST = join(import.meta.dirname, 'released.json');

type Hashes = Readonly<Record<string, string>>;

export function readReleased(): Hashes {
  return JSON.parse(readFileSync(LIST, 'utf8')) as Hashes;
}

/** The name of the newest migration that must not change. */
export function newestReleased(): string {
  return Object.keys(readReleased()).sort().at(-1) ?? '';
}

export interface MigrationFile {
  readonly name: string;
  readonly text: string;
}

export function readMigrations(folder: string = join(ROOT, MIGRATIONS)): MigrationFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** A sentence for each released migration that is not as it was released. */
export function findChanged(files: readonly MigrationFile[], released: Hashes): string[] {
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  return Object.entries(released).flatMap(([name, hash]) => {
    const text = texts.get(name);
    if (text !== undefined && hashOf(text) === hash) return [];
    const what = text === undefined ? 'is gone' : 'has changed';
    return [
      `${name} ${what}, but databases have applied it as it was: restore it ` +
        `(git checkout -- ${MIGRATIONS}/${name}) and make the change in a new migration ` +
        `("Add a migration" in CONTRIBUTING.md)`,
    ];
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

if (import.meta.main) {
  const changed = findChanged(readMigrations(), readReleased());
  if (changed.length > 0) throw new Error(changed.join('\n'));
  const all = readMigrations().map(({ name, text }) => [name, hashOf(text)]);
  writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
