//! A separate checkout to plant faults in, so that no working tree is changed.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Checkout {
  readonly root: string;
  remove(): void;
}

export function createCheckout(rev: string): Checkout {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-planted-')));
  const root = join(folder, 'tree');
  const checkout = {
    root,
    remove: () => {
      // Not by pruning: that takes away what others are just adding.
      if (existsSync(join(root, '.git'))) git('worktree', 'remove', '--force', root);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    git('worktree', 'add', '--quiet', '--detach', root, rev);
    for (const workspace of ['.', ...globSync('{apps,packages,examples}/*', { cwd: ROOT })]) {
      const modules = join(ROOT, workspace, 'node_modules');
      if (existsSync(modules)) linkModules(modules, join(root, workspace, 'node_modules'), root);
      // Compiled files are reused, as far as their sources are the same.
      for (const built of [join(workspace, 'dist'), join(workspace, '.cache')]) {
        const from = join(ROOT, built);
        if (workspace !== '.' && existsSync(from))
          cpSync(from, join(root, built), { recursive: true });
      }
    }
    // The set-up of the tests runs compiled packages.
    const tsc = join(root, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-b'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  } catch (error) {
    checkout.remove();
    throw error;
  }
  return checkout;
}

/**
 * What was installed is linked package by package. Our own packages lead into the checkout: linked
 * as a whole, `node_modules` would lead back to the tree without the fault.
 */
function linkModules(from: string, to: string, root: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    // Caches of tools: each tree has its own.
    if (name.startsWith('.') && name !== '.bin') continue;
    if (name === '@holdfast') linkModules(source, target, root);
    else symlinkSync(ownFolder(source, root) ?? source, target);
  }
}

/** Where a workspace of ours stands in the checkout. */
function ownFolder(path: string, root: string): string | undefined {
  const workspace = relative(realpathSync(ROOT), realpathSync(path));
  const isOwn = !workspace.startsWith('..') && !workspace.split('/').includes('node_modules');
  return isOwn ? join(root, workspace) : undefined;
}

function git(...args: readonly string[]): void {
  execFileSync('git', [...args], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
