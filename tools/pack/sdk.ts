//! The SDK package: the output of tsc, without tests and without maps to sources.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readManifest, withoutSources } from './manifest.ts';

const SDK = join(ROOT, 'packages/sdk');

export async function stageSdk(folder: string): Promise<void> {
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-b', SDK], { stdio: 'inherit' });
  mkdirSync(folder, { recursive: true });
  cpSync(join(SDK, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !/\.map$|\.test\.|\/testing(\/|$)/.test(path),
  });
  const readme = join(SDK, 'README.md');
  if (existsSync(readme)) cpSync(readme, join(folder, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = withoutSources(readManifest('packages/sdk')) as Record<string, unknown>;
  const { private: _, scripts: _scripts, devDependencies: _dev, ...published } = manifest;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}
