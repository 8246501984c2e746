//! A PostgreSQL with pgBackRest as deploy/pgbackrest has it, with its files in one folder.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../../apps/cli/src/local-cluster.ts';
import { freePorts } from '../../../apps/cli/src/local-restate.ts';
import { installedPrograms, otherUser } from '../../../apps/cli/src/postgres-programs.ts';
import { ROOT } from '../../../tools/pack/manifest.ts';

export const STANZA = 'holdfast';

export interface BackedUp {
  readonly adminUrl: string;
  /** Runs pgBackRest; throws with its output. */
  run(...args: readonly string[]): string;
  /** As if the server had failed with all its disks. */
  lose(): Promise<void>;
  /** Into an empty folder, up to this moment; the server is not started. */
  restore(to: string, at: Date, passphrase: string): void;
  /** Ends with an error when the server does not take writes. */
  start(folder: string): Promise<Cluster>;
  /** What the server in this folder has logged. */
  logOf(folder: string): string;
  /** Removes the first segment of the archive behind the backup, and gives its name. */
  removeSegment(): string;
}

/** Its files, which belong to the user that PostgreSQL runs as. */
interface Layout {
  readonly home: string;
  readonly config: string;
  readonly port: number;
  readonly asUser: ReturnType<typeof otherUser>;
}

const PROGRAMS = { programs: 'installed', settings: { max_connections: '200' } } as const;

/** The passphrase is returned to be stored apart: no file of the database has it. */
export async function startBackedUp(
  home: string,
): Promise<{ server: BackedUp; passphrase: string }> {
  const [port = 0] = await freePorts(1);
  const config = join(home, 'pgbackrest.conf');
  const layout: Layout = { home, config, port, asUser: otherUser() };
  own(layout, home);
  for (const name of ['repo', 'spool', 'log', 'lock', 'sockets'])
    createFolder(layout, join(home, name));
  const passphrase = randomBytes(48).toString('base64');
  writeConfiguration(layout, passphrase);
  const run = (...args: readonly string[]) => runPgBackRest(layout, args);
  const data = join(home, 'data');
  const source = await startCluster({
    ...PROGRAMS,
    ...{ port, dataFolder: data },
    settings: {
      ...PROGRAMS.settings,
      ...archiving(config),
      unix_socket_directories: join(home, 'sockets'),
    },
  });
  run('stanza-create');
  run('check');
  const server: BackedUp = {
    adminUrl: source.adminUrl,
    run,
    lose: async () => {
      await source.stop();
      rmSync(data, { recursive: true });
    },
    restore: (to, at, secret) => {
      writeConfiguration(layout, secret);
      createFolder(layout, to);
      const target = `${at.toISOString().replace('T', ' ').replace('Z', '')}+00`;
      const aim = ['--type=time', `--target=${target}`, '--target-action=promote'];
      run(`--pg1-path=${to}`, ...aim, 'restore');
    },
    start: async (path) => {
      const [other = 0] = await freePorts(1);
      // A copy for the drill must not add to the archive that it was taken from.
      const settings = {
        ...PROGRAMS.settings,
        archive_mode: 'off',
        logging_collector: 'on',
        log_directory: join(home, 'log'),
        log_filename: `${nameOf(path)}.log`,
      };
      return startCluster({ ...PROGRAMS, port: other, dataFolder: path, settings });
    },
    logOf: (path) => readFileSync(join(home, 'log', `${nameOf(path)}.log`), 'utf8'),
    removeSegment: () => removeSegment(run, join(home, 'repo/archive', STANZA)),
  };
  return { server, passphrase };
}

function own({ asUser }: Layout, path: string): void {
  if (asUser !== undefined) chownSync(path, asUser.uid, asUser.gid);
}

function createFolder(layout: Layout, path: string): void {
  mkdirSync(path, { mode: 0o700 });
  own(layout, path);
}

function runPgBackRest({ home, config, asUser }: Layout, args: readonly string[]): string {
  return execFileSync('pgbackrest', [`--config=${config}`, `--stanza=${STANZA}`, ...args], {
    encoding: 'utf8',
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...asUser,
  });
}

function writeConfiguration(layout: Layout, passphrase: string): void {
  const { home, config, port } = layout;
  const text = deployed({
    'repo1-path': join(home, 'repo'),
    'spool-path': join(home, 'spool'),
    'log-path': join(home, 'log'),
    'lock-path': join(home, 'lock'),
    'pg1-path': join(home, 'data'),
    'pg1-socket-path': join(home, 'sockets'),
  });
  const more = `pg1-port=${port}\npg1-user=postgres\n[global]\nrepo1-cipher-pass=${passphrase}\n`;
  writeFileSync(config, `${text}${more}`, { mode: 0o600 });
  own(layout, config);
}

function removeSegment(run: BackedUp['run'], archive: string): string {
  const [stanza] = JSON.parse(run('info', '--output=json')) as [
    { backup: { archive: { stop: string } }[] },
  ];
  const stop = stanza.backup.at(-1)?.archive.stop ?? '';
  const isBehind = (path: string) =>
    /^[0-9A-F]{24}-/.test(nameOf(path)) && nameOf(path).slice(0, 24) > stop;
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' }).sort();
  const segment = files.find(isBehind);
  if (segment === undefined) throw new Error(`no segment behind ${stop} was archived`);
  rmSync(join(archive, segment));
  return nameOf(segment).slice(0, 24);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The file of deploy/, with other paths. */
function deployed(own: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(ROOT, 'deploy/pgbackrest/pgbackrest.conf'), 'utf8');
  for (const [name, value] of Object.entries(own)) {
    const line = new RegExp(`^${name}=.*$`, 'm');
    if (!line.test(text)) throw new Error(`deploy/pgbackrest/pgbackrest.conf has no ${name}`);
    text = text.replace(line, `${name}=${value}`);
  }
  return text;
}

/** The settings of deploy/, where the command finds its configuration elsewhere. */
function archiving(config: string): Record<string, string> {
  const text = readFileSync(join(ROOT, 'deploy/pgbackrest/postgresql.conf'), 'utf8');
  const rows = [...text.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace('pgbackrest ', `pgbackrest --config=${config} `),
  ]);
  return Object.fromEntries(rows) as Record<string, string>;
}

/** Whether this machine has both programs. */
export function isInstalled(): boolean {
  try {
    execFileSync('pgbackrest', ['version'], { stdio: 'ignore' });
    return installedPrograms() !== undefined;
  } catch {
    return false;
  }
}
