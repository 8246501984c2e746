//! The other services of the compose file, by programs of this machine in place of their images.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { adopt } from '../../../apps/cli/src/children.ts';
import { installedPrograms } from '../../../apps/cli/src/postgres-programs.ts';
import { within } from '../../harness/wait.ts';
import type { Service } from './compose-file.ts';
import { mapped, type Project } from './project.ts';

type Start = (project: Project) => Promise<ChildProcess> | ChildProcess;

export const PROGRAMS: Readonly<Record<string, Start>> = {
  postgres: startPostgres,
  valkey: (project) => {
    const [, ...args] = argsOf(project, 'valkey');
    return run(project, 'valkey', 'redis-server', args);
  },
  restate: startRestate,
  edge: startEdge,
  prometheus: (project) => {
    const listen = `--web.listen-address=${project.addressOf('prometheus')}:9090`;
    const args = argsOf(project, 'prometheus').map((arg) => withPathsHere(project, arg));
    return run(project, 'prometheus', 'prometheus', [...args, listen]);
  },
};

function argsOf(project: Project, name: string): string[] {
  const { command = [] } = project.file.services[name] as Service;
  return command.map((arg) => mapped(arg, project.mountsOf(name)));
}

/** The option names a copy of its file, in which the paths are those of this machine. */
function withPathsHere(project: Project, option: string): string {
  const [name, file] = option.split('=') as [string, string];
  if (name !== '--config.file') return option;
  const copy = join(project.folder, 'prometheus.yaml');
  writeFileSync(copy, mapped(readFileSync(file, 'utf8'), project.mountsOf('prometheus')));
  return `${name}=${copy}`;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

/** In a mount namespace in which the names of the services are known. */
function run(
  project: Project,
  name: string,
  program: string,
  args: readonly string[],
  { env = {}, uid }: RunOptions = {},
): ChildProcess {
  const log = openSync(join(project.folder, `${name}.log`), 'a');
  const become = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, '--clear-groups'];
  const script = `mount --bind ${project.hosts} /etc/hosts && exec "$@"`;
  const all = ['--mount', 'sh', '-c', script, '--', ...become, program, ...args];
  const child = spawn('unshare', all, {
    cwd: project.folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  return adopt(child, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL');
}

/** As the image's own entrypoint: a new cluster, the database, then the scripts. */
async function startPostgres(project: Project): Promise<ChildProcess> {
  const programs = installedPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
  const mounts = project.mountsOf('postgres');
  const env = project.environmentOf('postgres');
  const at = (path: string) => mapped(path, mounts);
  const [data, sockets] = [at('/var/lib/postgresql/data'), at('/var/run/postgresql')];
  const password = readFileSync(at(env['POSTGRES_PASSWORD_FILE'] ?? ''), 'utf8');
  const passwordFile = join(project.folder, 'owner-password');
  writeFileSync(passwordFile, password);
  for (const path of [data, at('/archive')]) chownSync(path, uid, uid);
  const args = ['-D', data, '-U', 'postgres', `--pwfile=${passwordFile}`];
  const more = (env['POSTGRES_INITDB_ARGS'] ?? '').split(' ');
  execFileSync(
    'setpriv',
    [`--reuid=${uid}`, '--clear-groups', join(programs.bin, 'initdb'), ...args, ...more],
    { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [, ...own] = argsOf(project, 'postgres');
  const server = ['-D', data, '-c', `unix_socket_directories=${sockets}`, ...own];
  const child = run(project, 'postgres', join(programs.bin, 'postgres'), server, { uid });
  const client = { PGHOST: sockets, PGPASSWORD: password, PGUSER: 'postgres' };
  const query = (text: string) =>
    execFileSync('psql', ['-qd', 'postgres', '-c', text], {
      env: { ...process.env, ...client },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  const isThere = () => succeeds(() => query('select'));
  if (!(await within(20_000, isThere))) throw new Error('PostgreSQL did not start');
  query(`create database ${env['POSTGRES_DB']}`);
  for (const { from } of mounts.filter(({ to }) => to.startsWith('/docker-entrypoint-initdb.d/')))
    execFileSync('bash', [from], {
      env: { ...process.env, ...client, ...env, SECRETS_FOLDER: secretsIn(project) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return child;
}

/** A folder with the secrets of the database under the names that they have in the container. */
function secretsIn(project: Project): string {
  const folder = join(project.folder, 'postgres-secrets');
  mkdirSync(folder, { recursive: true });
  for (const { from, to } of project.mountsOf('postgres'))
    if (to.startsWith('/run/secrets/')) copyFileSync(from, join(folder, basename(to)));
  return folder;
}

function startRestate(project: Project): ChildProcess {
  const address = project.addressOf('restate');
  const mounts = project.mountsOf('restate');
  const given = Object.entries(project.environmentOf('restate'));
  const env = Object.fromEntries(given.map(([name, value]) => [name, mapped(value, mounts)]));
  const package_ = `@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`;
  const program = createRequire(join(import.meta.dirname, '../../../apps/cli/src/x')).resolve(
    package_,
  );
  const own = {
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_IP: address,
    RESTATE_ADVERTISED_ADDRESS: `http://${address}:5122/`,
    RESTATE_METADATA_CLIENT__ADDRESSES: `[http://${address}:5122/]`,
    RESTATE_BASE_DIR: mapped('/restate-data', mounts),
    RESTATE_DEFAULT_NUM_PARTITIONS: '2',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '64 MiB',
  };
  const args = ['--no-logo', ...argsOf(project, 'restate')];
  return run(project, 'restate', program, args, { env: { ...env, ...own } });
}

/** `resolve` came with nginx 1.27.3; here the hosts file has the addresses, and none changes. */
function startEdge(project: Project): ChildProcess {
  const home = join(project.folder, 'nginx');
  mkdirSync(join(home, 'temp'), { recursive: true });
  const address = project.addressOf('edge');
  const mounts = project.mountsOf('edge').map((mount) => {
    const copy = join(home, basename(mount.to));
    return { ...mount, from: copy, original: mount.from };
  });
  for (const { from, original } of mounts) {
    const text = readFileSync(original, 'utf8')
      .replace(/^resolver .*$/m, '')
      .replace(/ resolve /g, ' ')
      .replace(/listen (?:127\.0\.0\.1:)?(\d+)/g, `listen ${address}:$1`);
    writeFileSync(from, mapped(text, mounts));
  }
  const main = mounts.find(({ to }) => dirname(to) === '/etc/nginx/conf.d');
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(home, 'temp', name)};`,
  );
  writeFileSync(
    join(home, 'nginx.conf'),
    `daemon off; user root; pid ${home}/nginx.pid; events {}
     http { ${temp.join(' ')} access_log off; include ${main?.from}; }`,
  );
  const args = ['-p', home, '-e', join(project.folder, 'edge.log'), '-c', join(home, 'nginx.conf')];
  return run(project, 'edge', '/usr/sbin/nginx', args);
}

export function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
