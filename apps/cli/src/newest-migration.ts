//! The newest migration that this build brings.
import { existsSync, readdirSync } from 'node:fs';

/** In the package beside us, in the sources where the server keeps them. */
const FOLDERS = ['./migrations/', '../../server/src/platform/database/migrations/'];

export function newestMigration(): string | undefined {
  const folder = FOLDERS.map((each) => new URL(each, import.meta.url)).find((u) => existsSync(u));
  if (folder === undefined) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names
    .toSorted()
    .at(-1)
    ?.replace(/\.sql$/, '');
}
