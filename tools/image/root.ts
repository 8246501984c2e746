//! The root of the image: the files of a few Debian packages, the same ones for every build of a
//! commit, and Node.js.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch } from 'node:os';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';
import { ROOT } from '../pack/manifest.ts';
import { shell } from './shell.ts';

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** By architecture, as Debian names them. */
type Lock = Readonly<Record<string, readonly DebianPackage[]>>;

const LOCK_FILE = join(ROOT, 'deploy/image/debian.json');
const CACHE = join(ROOT, '.cache/image');
const SUITE = 'bookworm';
/** The C and C++ libraries of Node.js, certificates, time zones, and names of a few services. */
const PACKAGES = [
  'base-files',
  'ca-certificates',
  'gcc-12-base',
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'netbase',
  'tzdata',
];
/** Programs, and what only people at a terminal read. Licenses stay. */
const UNUSED = [
  'boot',
  'etc/apt',
  'etc/dpkg',
  'etc/update-motd.d',
  'media',
  'mnt',
  'srv',
  'usr/games',
  'usr/bin',
  'usr/sbin',
  'usr/share/base-files',
  'usr/share/bug',
  'usr/share/dict',
  'usr/share/info',
  'usr/share/lintian',
  'usr/share/man',
  'usr/share/misc',
  'usr/share/zoneinfo/right',
  'var/backups',
  'var/local',
];

const ARCHITECTURE = ({ x64: 'amd64', arm64: 'arm64' } as Record<string, string>)[arch()] ?? arch();

export interface RootOptions {
  /** Writes the packages that the mirror has now to the lock. */
  readonly isUpdate: boolean;
  readonly mirror: string | undefined;
}

/** Fills `folder`; returns the packages in it. */
export function prepareRoot(folder: string, options: RootOptions): readonly DebianPackage[] {
  if (options.isUpdate) updateLock(options);
  const packages = readLock()[ARCHITECTURE];
  if (packages === undefined)
    throw new Error(`no packages locked for ${ARCHITECTURE}: npm run image -- --update`);
  const debs = fetchLocked(packages, options);
  mkdirSync(folder, { recursive: true });
  for (const { name } of packages) {
    const deb = join(debs, `${name}.deb`);
    shell('dpkg-deb', ['--extract', deb, folder]);
    writeStatus(folder, name, shell('dpkg-deb', ['--field', deb]));
  }
  for (const path of UNUSED) rmSync(join(folder, path), { recursive: true, force: true });
  removeDocuments(join(folder, 'usr/share/doc'));
  writeCertificates(folder);
  writeUsers(folder);
  addNode(folder);
  return packages;
}

function readLock(): Lock {
  return existsSync(LOCK_FILE) ? (JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as Lock) : {};
}

function updateLock(options: RootOptions): void {
  using found = createTemporaryFolder('holdfast-debian');
  const packages = download(found.path, options);
  const lock = { ...readLock(), [ARCHITECTURE]: packages };
  writeFileSync(LOCK_FILE, `${JSON.stringify(lock, null, 2)}\n`);
}

/** A folder with `NAME.deb` for each; downloaded once for each state of the lock. */
function fetchLocked(packages: readonly DebianPackage[], options: RootOptions): string {
  const key = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 16);
  const cached = join(CACHE, `debian-${key}`);
  if (existsSync(cached)) return cached;
  mkdirSync(CACHE, { recursive: true });
  using found = createTemporaryFolder('holdfast-debian');
  const there = new Map(download(found.path, options).map((each) => [each.name, each]));
  const moved = packages.filter(({ name, sha256 }) => there.get(name)?.sha256 !== sha256);
  if (moved.length > 0) {
    const lines = moved.map(
      ({ name, version }) => `  ${name}: ${version} locked, ${there.get(name)?.version} there`,
    );
    throw new Error(
      `the Debian mirror has other packages than deploy/image/debian.json:\n${lines.join('\n')}\n` +
        'take them with `npm run image -- --update` and commit the file, or name a mirror that ' +
        'has the locked ones, such as a snapshot.debian.org, with --mirror',
    );
  }
  cpSync(found.path, `${cached}.new`, { recursive: true });
  renameSync(`${cached}.new`, cached);
  return cached;
}

/** mmdebstrap has apt verify what it downloads; dependencies that only set up a system stay out. */
function download(folder: string, { mirror }: RootOptions): DebianPackage[] {
  using work = createTemporaryFolder('holdfast-mmdebstrap');
  shell('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    `--architectures=${ARCHITECTURE}`,
    `--include=${PACKAGES.join(',')}`,
    `--extract-hook=copy-out /var/cache/apt/archives ${work.path}`,
    SUITE,
    join(work.path, 'root.tar'),
    ...(mirror === undefined ? [] : [mirror]),
  ]);
  const archives = join(work.path, 'archives');
  return PACKAGES.map((name) => {
    const file = readdirSync(archives).find((each) => each.startsWith(`${name}_`));
    if (file === undefined) throw new Error(`${name} was not downloaded`);
    const from = join(archives, file);
    copyFileSync(from, join(folder, `${name}.deb`));
    const sha256 = createHash('sha256').update(readFileSync(from)).digest('hex');
    return { name, version: shell('dpkg-deb', ['--field', from, 'Version']), sha256 };
  });
}

/** Where scanners of images look for the packages of a root without dpkg. */
function writeStatus(folder: string, name: string, fields: string): void {
  const status = join(folder, 'var/lib/dpkg/status.d');
  mkdirSync(status, { recursive: true });
  writeFileSync(join(status, name), `${fields}\n`);
}

function removeDocuments(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name !== 'copyright')
      rmSync(join(entry.parentPath, entry.name), { force: true });
  }
}

/** As update-ca-certificates would, without the links for each. */
function writeCertificates(folder: string): void {
  const from = join(folder, 'usr/share/ca-certificates/mozilla');
  const all = readdirSync(from).toSorted();
  const text = all.map((name) => readFileSync(join(from, name), 'utf8')).join('');
  mkdirSync(join(folder, 'etc/ssl/certs'), { recursive: true });
  writeFileSync(join(folder, 'etc/ssl/certs/ca-certificates.crt'), text);
  rmSync(join(folder, 'usr/share/ca-certificates'), { recursive: true });
}

function writeUsers(folder: string): void {
  writeFileSync(
    join(folder, 'etc/passwd'),
    'root:x:0:0:root:/root:/sbin/nologin\nholdfast:x:65532:65532:holdfast:/tmp:/sbin/nologin\n',
  );
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nholdfast:x:65532:\n');
  writeFileSync(join(folder, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  chmodSync(join(folder, 'tmp'), 0o1777);
}

function addNode(folder: string): void {
  const from = createRequire(import.meta.url).resolve(`node-linux-${arch()}/bin/node`);
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
  copyFileSync(from, join(folder, 'usr/local/bin/node'));
  chmodSync(join(folder, 'usr/local/bin/node'), 0o755);
}
