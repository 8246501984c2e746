//! `npm run tarballs -- --to DIR`: `holdfast` and `@holdfast/sdk` as they are published; builds the
//! console and the docs first where they are missing.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createTemporaryFolder } from '../apps/cli/src/temporary-folder.ts';
import { stageHoldfast } from './pack/holdfast.ts';
import { stageSdk } from './pack/sdk.ts';
import { buildMissing } from './pack/sites.ts';

/** Paths of the tarballs, one for each package. */
export async function pack(to: string): Promise<string[]> {
  using staging = createTemporaryFolder('holdfast-pack');
  mkdirSync(to, { recursive: true });
  const folders = [join(staging.path, 'holdfast'), join(staging.path, 'sdk')] as const;
  await stageHoldfast(folders[0]);
  await stageSdk(folders[1]);
  return folders.map((folder) => packFolder(folder, to));
}

function packFolder(folder: string, to: string): string {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(to)];
  const output = execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return resolve(to, filename);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { to: { type: 'string', default: 'dist' } } });
  buildMissing();
  for (const path of await pack(values.to)) process.stdout.write(`${path}\n`);
}
