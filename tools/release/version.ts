//! `npm run release:version`: gives all packages the next version, and the changelog its section.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, readManifest } from '../pack/manifest.ts';
import { closeUnreleased } from './changelog.ts';
import { readPending } from './pending.ts';

/** Files that state the version and that no other program changes. */
const STATED = [
  'package.json',
  'apps/server/src/platform/config/version.ts',
  'apps/cli/src/version.ts',
  'compose.yaml',
  'compose.override.yaml',
];

function main(): void {
  parseArgs({ options: {} });
  const pending = readPending();
  if (pending === undefined) throw new Error('no changeset: write one with `npx changeset`');
  const { version, changes } = pending;
  const date = new Date().toISOString().slice(0, 10);
  edit('CHANGELOG.md', (text) => closeUnreleased(text, { version, date, changes }));
  const { version: previous } = readManifest('.');
  execFileSync(join(ROOT, 'node_modules/.bin/changeset'), ['version'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const given = readManifest('apps/cli').version;
  if (given !== version) throw new Error(`changesets gave ${given} where ${version} was expected`);
  for (const file of STATED) edit(file, (text) => text.replaceAll(previous, version));
  npm('install', '--package-lock-only', '--ignore-scripts');
  npm('run', '-s', 'generate');
  process.stdout.write(`${version}\n`);
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

function edit(file: string, change: (text: string) => string): void {
  const [before, after] = [read(file), change(read(file))];
  if (before === after) throw new Error(`${file} does not state the version`);
  writeFileSync(join(ROOT, file), after);
}

function npm(...args: readonly string[]): void {
  execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

main();
