//! The last commit that passed the whole check: stored in `.cache/last-green`, which git ignores.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The commit that the tree is, or undefined when it holds anything else. */
export function cleanCommit(): string | undefined {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : undefined;
  } catch {
    return undefined;
  }
}

export function recordGreen(commit: string): void {
  const folder = join(root, '.cache');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'last-green'), `${commit}\n`);
}
