//! The one package that an operator installs: command line, server, sandbox, console, docs.
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, parse, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { ENTRIES } from '../../apps/cli/src/entries.ts';
import { pinned, ROOT, readManifest } from './manifest.ts';

const CLI = join(ROOT, 'apps/cli/src');
/** What a process starts as a thread of its own, and finds beside itself. */
const THREADS = ['apps/server/src/platform/password-thread-main.ts'];

export async function stageHoldfast(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  const imported = await bundle(dist);
  chmodSync(join(dist, 'holdfast.js'), 0o755);
  cpSync(join(ROOT, 'apps/server/src/platform/migrations'), join(dist, 'migrations'), {
    recursive: true,
  });
  for (const site of ['docs', 'console']) {
    const built = join(ROOT, 'apps', site, 'dist');
    if (existsSync(join(built, 'index.html')))
      cpSync(built, join(dist, `${site}-site`), { recursive: true });
  }
  for (const file of ['README.md', 'LICENSE']) cpSync(join(ROOT, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(imported), null, 2)}\n`);
}

/** Our own code in a few flat files, names kept; gives the packages that it imports. */
async function bundle(dist: string): Promise<Set<string>> {
  const input = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, path]) => [name, join(CLI, path)]),
  );
  const threads = Object.fromEntries(THREADS.map((path) => [parse(path).name, join(ROOT, path)]));
  const build = await rolldown({
    input: { holdfast: join(CLI, 'bin.ts'), ...input, ...threads },
    platform: 'node',
    resolve: { conditionNames: ['@holdfast/source', 'import', 'node', 'default'] },
    external: (id) => !/^[./#\0]|^@holdfast\//.test(id),
    logLevel: 'warn',
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
  const ids = output.flatMap((chunk) =>
    chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : [],
  );
  const outside = ids.filter((id) => !id.endsWith('.js') && !isBuiltin(id));
  // Found by its name at run time, so that nobody imports it.
  return new Set([...outside.map(packageOf), '@restatedev/restate-server']);
}

function packageOf(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}

function manifest(imported: ReadonlySet<string>): unknown {
  const { name, version, license, optionalDependencies } = readManifest('apps/cli');
  return {
    name,
    version,
    description: 'Escrow and balances for marketplaces: server, sandbox and command line',
    keywords: ['escrow', 'marketplace', 'payments', 'double-entry', 'webhooks'],
    license,
    type: 'module',
    bin: { holdfast: 'dist/holdfast.js' },
    exports: { './package.json': './package.json' },
    files: ['dist'],
    engines: { node: '>=24.21' },
    dependencies: pinned(imported),
    optionalDependencies,
  };
}
