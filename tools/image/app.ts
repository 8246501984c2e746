//! The npm package with its dependencies, at the versions of the repository's lockfile.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { findPath, type LockedPackage, type Lockfile } from '../lockfile.ts';
import { ROOT } from '../pack/manifest.ts';
import { shell } from './shell.ts';

/** By path in the image's node_modules. */
export type Locked = Readonly<Record<string, LockedPackage>>;

const WORKSPACES = ['apps/cli', 'apps/server', 'apps/sandbox', 'packages/contract'];
const OF_TYPES = /\.d\.[cm]?ts(\.map)?$/;
const OF_PEOPLE = /^(readme|changelog|history|authors|contributing|security)(\.md|\.txt)?$/i;
/** Builds for browsers, which no process loads. */
const OF_BROWSERS = ['@stellar/stellar-sdk/dist'];
/** For the image that is no deployment. */
const OF_SANDBOX = ['sandbox.js', 'sandbox.js.map'];

/** Installs the tarball in `folder`, and its sandbox in another; returns what was installed. */
export function prepareApp(folder: string, sandbox: string, tarball: string): Locked {
  mkdirSync(folder, { recursive: true });
  const file = basename(tarball);
  copyFileSync(tarball, join(folder, file));
  const locked = lockOf(tarball);
  const top = { name: 'image', version: '0.0.0', dependencies: { holdfast: `file:${file}` } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(top));
  const lock = { ...top, lockfileVersion: 3, packages: { '': top, ...locked } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  shell(
    'npm',
    [
      'ci',
      '--omit=dev',
      '--omit=optional',
      '--ignore-scripts',
      '--no-bin-links',
      '--prefer-offline',
    ],
    { cwd: folder, env: { npm_config_audit: 'false', npm_config_fund: 'false' } },
  );
  const modules = join(folder, 'node_modules');
  for (const name of [file, 'package.json', 'package-lock.json']) rmSync(join(folder, name));
  for (const name of ['.package-lock.json', '.bin', ...OF_BROWSERS])
    rmSync(join(modules, name), { recursive: true, force: true });
  mkdirSync(sandbox);
  for (const name of OF_SANDBOX)
    renameSync(join(modules, 'holdfast/dist', name), join(sandbox, name));
  removeUnread(modules);
  return locked;
}

/** Types, source maps and texts of other packages: nothing reads them at run time. */
function removeUnread(modules: string): void {
  const own = join(modules, 'holdfast/dist');
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.startsWith(own)) continue;
    const isUnread =
      OF_TYPES.test(entry.name) || OF_PEOPLE.test(entry.name) || entry.name.endsWith('.map');
    if (isUnread) rmSync(path);
  }
}

/** The part of our lockfile that the package needs, without what is optional. */
function lockOf(tarball: string): Locked {
  const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile;
  const manifest = JSON.parse(
    shell('tar', ['--extract', '--to-stdout', '--file', tarball, 'package/package.json']),
  ) as LockedPackage & { readonly dependencies: Readonly<Record<string, string>> };
  const { version = '', dependencies } = manifest;
  const bytes = readFileSync(tarball);
  const locked: Record<string, LockedPackage> = {
    'node_modules/holdfast': {
      version,
      resolved: `file:${basename(tarball)}`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      dependencies,
    },
  };
  const paths = new Set(
    Object.entries(dependencies).map(([name, wanted]) => sourceOf(lockfile, name, wanted)),
  );
  for (const path of paths) {
    const found = lockfile.packages[path] as LockedPackage;
    const { version, integrity, dependencies = {} } = found;
    locked[pathInImage(path)] = {
      ...(version && { version }),
      ...(integrity && { integrity }),
      dependencies,
    };
    for (const name of Object.keys(dependencies)) {
      const next = findPath(lockfile.packages, path, name);
      if (next === undefined) throw new Error(`${name}, which ${path} needs, is not locked`);
      paths.add(next);
    }
  }
  return Object.fromEntries(
    Object.entries(locked).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function sourceOf({ packages }: Lockfile, name: string, wanted: string): string {
  const found = WORKSPACES.map((workspace) => findPath(packages, workspace, name)).find(
    (path) => path !== undefined && packages[path]?.version === wanted,
  );
  if (found === undefined) throw new Error(`${name}@${wanted} is not locked`);
  return found;
}

/** Packages of a workspace alone stand below ours, where only it finds them. */
function pathInImage(path: string): string {
  return path.replace(/^apps\/\w+\/(?=node_modules\/)/, 'node_modules/holdfast/');
}
