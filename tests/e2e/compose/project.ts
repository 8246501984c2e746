//! A compose project on this machine: a folder for its secrets and volumes, an address on loopback
//! for each service, and a hosts file with their names.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ROOT } from '../../../tools/pack/manifest.ts';
import type { ComposeFile, Service } from './compose-file.ts';

export interface Mount {
  readonly from: string;
  readonly to: string;
  readonly isReadOnly: boolean;
}

export interface Project {
  readonly file: ComposeFile;
  readonly folder: string;
  /** For /etc/hosts: the machine's own file stays as it is. */
  readonly hosts: string;
  addressOf(service: string): string;
  mountsOf(service: string): Mount[];
  environmentOf(service: string): Record<string, string>;
}

export function createProject(file: ComposeFile, folder: string): Project {
  // PostgreSQL runs as another user, who must get through.
  chmodSync(folder, 0o711);
  const network = `127.${randomInt(1, 250)}.${randomInt(1, 250)}`;
  const names = Object.keys(file.services);
  const addressOf = (service: string) => `${network}.${names.indexOf(service) + 2}`;
  for (const volume of Object.keys(file.volumes)) {
    mkdirSync(join(folder, 'volumes', volume), { recursive: true });
    chmodSync(join(folder, 'volumes', volume), 0o1777);
  }
  const hosts = join(folder, 'hosts');
  const lines = names.map(
    (name) => `${addressOf(name)} ${[name, ...aliasesOf(file.services[name])].join(' ')}`,
  );
  writeFileSync(hosts, `127.0.0.1 localhost\n${lines.join('\n')}\n`);
  createSecrets(folder);
  const pathOf = (path: string) => join(path.startsWith('secrets/') ? folder : ROOT, path);
  return {
    file,
    folder,
    hosts,
    addressOf,
    mountsOf: (name) => {
      const { volumes = [], secrets = [] } = file.services[name] as Service;
      const ofVolumes = volumes.map((text) => mountOf(text, folder));
      const ofSecrets = secrets.map(({ source, target }) => ({
        from: pathOf(file.secrets[source]?.file ?? `no secret ${source}`),
        to: `/run/secrets/${target}`,
        isReadOnly: true,
      }));
      return [...ofVolumes, ...ofSecrets];
    },
    environmentOf: (name) => {
      const { environment = {}, env_file = [] } = file.services[name] as Service;
      const files = env_file.map(({ path }) => parseEnv(readFileSync(pathOf(path), 'utf8')));
      return Object.assign({}, ...files, environment) as Record<string, string>;
    },
  };
}

function aliasesOf(service: Service | undefined): string[] {
  return Object.values(service?.networks ?? {}).flatMap(({ aliases = [] }) => aliases);
}

function mountOf(text: string, folder: string): Mount {
  const [source = '', to = '', mode] = text.split(':');
  const from = source.startsWith('.') ? join(ROOT, source) : join(folder, 'volumes', source);
  return { from, to, isReadOnly: mode === 'ro' };
}

/** With the command that the documents name. */
function createSecrets(folder: string): void {
  const program = join(ROOT, 'apps/cli/src/main.ts');
  const args = ['--conditions=@holdfast/source', program, 'secrets', '--to', 'secrets'];
  execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The text with paths of the container replaced by those of this machine, each once. */
export function mapped(text: string, mounts: readonly Pick<Mount, 'from' | 'to'>[]): string {
  const byPath = new Map(mounts.map(({ from, to }) => [to, from]));
  const longestFirst = [...byPath.keys()].toSorted((one, other) => other.length - one.length);
  if (longestFirst.length === 0) return text;
  const pattern = new RegExp(
    longestFirst.map((path) => path.replaceAll('.', '\\.')).join('|'),
    'g',
  );
  return text.replace(pattern, (path) => byPath.get(path) ?? path);
}
