//! The one package that an operator installs: command line, server, sandbox, console, docs.
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinned, ROOT, readManifest } from './manifest.ts';
import { bundlePrograms } from './programs.ts';
import { folderOf, isBuilt, SITES } from './sites.ts';

export async function stageHoldfast(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  const imported = await bundlePrograms(dist, 'ours');
  chmodSync(join(dist, 'holdfast.js'), 0o755);
  for (const site of SITES) {
    if (isBuilt(site)) cpSync(folderOf(site), join(dist, `${site}-site`), { recursive: true });
  }
  for (const file of ['README.md', 'LICENSE']) cpSync(join(ROOT, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(imported), null, 2)}\n`);
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
