//! The console as operators get it: built, unless what was built is younger than its sources.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CONSOLE = join(ROOT, 'apps/console');
export const BUILT = join(CONSOLE, 'dist');

/** Everything that ends up in it. */
const SOURCES = [
  'apps/console/src',
  'apps/console/public',
  'apps/console/index.html',
  'apps/console/vite.config.ts',
  'packages/contract/src',
  'packages/sdk/src',
];

/** True when it had to be built. */
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
