//! The programs of the package: the entry file of each, in the sources and in the bundle.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** In the sources; in the package each is a file of this name beside us (see tools/pack.ts). */
export const ENTRIES = {
  api: '../../server/src/programs/api.ts',
  worker: '../../server/src/programs/worker.ts',
  migrate: '../../server/src/programs/migrate.ts',
  sandbox: '../../sandbox/src/main.ts',
  'verify-audit': '../../server/src/programs/verify-audit.ts',
  'verify-books': '../../../tests/auditor/main.ts',
  'rotate-wallet-keys': '../../server/src/programs/rotate-wallet-keys.ts',
} as const;

export type Entry = keyof typeof ENTRIES;

const isPacked = existsSync(new URL('./api.js', import.meta.url));

/** How a person types our name: the package has a program, a checkout has a script. */
export const COMMAND = isPacked ? 'npx holdfast' : 'npm run -s holdfast --';

/** For Node, before the script: how it finds our packages, or whose lines it names in a trace. */
export const NODE_FLAG = isPacked ? '--enable-source-maps' : '--conditions=@holdfast/source';

/**
 * BUNDLED_PROGRAMS is a folder of programs to start instead of the sources: tests start hundreds of
 * processes, and from the sources each takes two seconds of a processor before its first line.
 */
export function entryOf(name: Entry): URL {
  const { BUNDLED_PROGRAMS: bundled } = process.env;
  if (bundled !== undefined) return pathToFileURL(join(bundled, `${name}.js`));
  return new URL(isPacked ? `./${name}.js` : ENTRIES[name], import.meta.url);
}
