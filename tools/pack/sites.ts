//! The console and the docs of the package: built before they are packed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './manifest.ts';

export const SITES = ['docs', 'console'] as const;

export type Site = (typeof SITES)[number];

export function folderOf(site: Site, root = ROOT): string {
  return join(root, 'apps', site, 'dist');
}

export function isBuilt(site: Site, root = ROOT): boolean {
  return existsSync(join(folderOf(site, root), 'index.html'));
}

/** Otherwise a package without them could be published and installed. */
export function buildMissing(root = ROOT, build: (site: Site) => void = runBuild): void {
  for (const site of SITES) {
    if (isBuilt(site, root)) continue;
    build(site);
    if (!isBuilt(site, root))
      throw new Error(`apps/${site} is not built: run \`npm run build:${site}\``);
  }
}

/** Of the tree as it is; what an earlier call built of the same tree is taken. */
export function rebuildSites(): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const tree = [git('rev-parse', 'HEAD'), git('diff', 'HEAD'), git('status', '--porcelain')].join();
  const state = createHash('sha256').update(tree).digest('hex');
  const stamp = join(ROOT, '.cache/image/sites');
  const isSame = existsSync(stamp) && readFileSync(stamp, 'utf8') === state;
  if (!isSame) for (const site of SITES) rmSync(folderOf(site), { recursive: true, force: true });
  buildMissing();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

/** Its output goes to standard error: standard output has the paths of the tarballs. */
function runBuild(site: Site): void {
  process.stderr.write(`building apps/${site}\n`);
  execFileSync('npm', ['run', '--silent', `build:${site}`], {
    cwd: ROOT,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
}
