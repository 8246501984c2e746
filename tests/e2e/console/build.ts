//! Builds the console as operators get it, unless the last build is newer than its sources.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const CONSOLE = join(ROOT, 'apps/console');
export const BUILT = join(CONSOLE, 'dist');

/** Every source of the build. */
const SOURCES = [
  'apps/console/src',
  'apps/console/public',
  'apps/console/index.html',
  'apps/console/vite.config.ts',
  'packages/contract/src',
  'packages/sdk/src',
];

/** True if a build was needed. */
export function buildConsole(): boolean {
  const index = join(BUILT, 'index.html');
  const builtAt = existsSync(index) ? statSync(index).mtimeMs : 0;
  const changedAt = Math.max(...SOURCES.map((path) => newestIn(join(ROOT, path))));
  if (builtAt > changedAt) return false;
  const vite = join(ROOT, 'node_modules/.bin/vite');
  execFileSync(vite, ['build', '--logLevel', 'error'], { cwd: CONSOLE, stdio: 'inherit' });
  return true;
}

function newestIn(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  const found = readdirSync(path, { recursive: true, withFileTypes: true });
  const times = found.map((one) => statSync(join(one.parentPath, one.name)).mtimeMs);
  return Math.max(...times);
}
