//! Installs without a registry: unpacks the tarballs, and links their dependencies from this
//! repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDERS = ['apps/cli/node_modules', 'apps/server/node_modules', 'node_modules'];

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** `root` is the repository that the tarballs were packed in. */
export function installHere(folder: string, tarballs: readonly string[], root = ROOT): void {
  for (const tarball of tarballs) {
    const manifest = JSON.parse(fileIn(tarball, 'package.json')) as Manifest;
    const own = join(folder, 'node_modules', manifest.name);
    mkdirSync(own, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
    for (const [name, path] of Object.entries(manifest.bin ?? {}))
      link(join(own, path), join(folder, 'node_modules/.bin', name));
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const name of Object.keys(needed)) {
      const found = FOLDERS.map((base) => join(root, base, name)).find((path) => existsSync(path));
      if (found !== undefined) link(found, join(folder, 'node_modules', name));
      else if (manifest.dependencies?.[name]) throw new Error(`${name} is not installed here`);
    }
  }
}

function fileIn(tarball: string, name: string): string {
  return execFileSync('tar', ['-xzOf', tarball, `package/${name}`], { encoding: 'utf8' });
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
