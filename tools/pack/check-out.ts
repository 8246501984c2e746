//! A commit of this repository in a folder of its own, with its packages.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createTemporaryFolder,
  type TemporaryFolder,
} from '../../apps/cli/src/temporary-folder.ts';
import { ROOT } from './manifest.ts';

/** In the repository: files can be linked to it, and packages are found from there. */
const CACHE = join(ROOT, '.cache');

export function createFolderInCache(name: string): TemporaryFolder {
  mkdirSync(CACHE, { recursive: true });
  return createTemporaryFolder(name, CACHE);
}

/** `folder` must be in the repository, and must not exist. */
export function checkOut(commit: string, folder: string): void {
  execFileSync('git', ['clone', '--quiet', '--no-checkout', ROOT, folder]);
  execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder });
  installDependencies(folder);
}

/** Those of this tree if the lockfiles are the same, otherwise as the other lockfile says. */
function installDependencies(folder: string): void {
  const lockIn = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockIn(folder) !== lockIn(ROOT)) {
    const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--loglevel=error'];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return;
  }
  // Links to the files: it takes seconds, not a minute. The links to workspaces are relative.
  for (const path of ['node_modules', ...nestedModules()])
    execFileSync('cp', ['-al', join(ROOT, path), join(folder, path)]);
}

function nestedModules(): string[] {
  return ['apps', 'packages', 'examples'].flatMap((area) =>
    readdirSync(join(ROOT, area))
      .map((name) => `${area}/${name}/node_modules`)
      .filter((path) => existsSync(join(ROOT, path))),
  );
}
