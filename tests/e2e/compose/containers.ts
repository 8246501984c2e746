//! Our own services: processes in the root of their image, by buildah, as its user.
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adopt } from '../../../apps/cli/src/children.ts';
import type { Storage } from '../../../tools/image/build.ts';
import { shell } from '../../../tools/image/shell.ts';
import type { Service } from './compose-file.ts';
import type { Project } from './project.ts';

/** An image, opened once; several processes run in its root. */
export interface OpenImage {
  readonly container: string;
  readonly entrypoint: readonly string[];
}

export interface Containers {
  /** With the command of the service, or another in its surroundings. */
  start(service: string, command?: readonly string[]): ChildProcess;
}

const APART = ['--fork', '--pid', '--kill-child=SIGKILL', '--'];

export function openImage(image: string, storage: Storage): OpenImage {
  const { CONTAINERS_STORAGE_CONF: conf = '' } = storage;
  const policy = `--signature-policy=${join(conf, '..', 'policy.json')}`;
  const container = shell('buildah', ['from', policy, '--pull-never', `localhost/${image}`], {
    env: storage,
  });
  const found = JSON.parse(shell('buildah', ['inspect', container], { env: storage })) as {
    OCIv1: { config: { Entrypoint: string[] } };
  };
  return { container, entrypoint: found.OCIv1.config.Entrypoint };
}

export function containersOf(
  project: Project,
  images: ReadonlyMap<string, OpenImage>,
  storage: Storage,
): Containers {
  return {
    start: (name, command) => {
      const { image, command: own = [] } = project.file.services[name] as Service;
      const opened = images.get(image);
      if (opened === undefined) throw new Error(`no image ${image}`);
      const args = own.map((arg) => arg.replaceAll('0.0.0.0', project.addressOf(name)));
      const program = command ?? [...opened.entrypoint, ...args];
      const run = ['run', '--isolation=chroot', ...optionsFor(project, name), opened.container];
      const log = openSync(join(project.folder, `${name}.log`), 'a');
      const env = { ...process.env, ...storage };
      return adopt(
        // A process namespace: when buildah is killed, nothing that it started is left behind.
        spawn('unshare', [...APART, 'buildah', ...run, '--', ...program], {
          env,
          stdio: ['ignore', log, log],
        }),
      );
    },
  };
}

function optionsFor(project: Project, name: string): string[] {
  const address = project.addressOf(name);
  const mounts = project.mountsOf(name).map(({ from, to }) => `--volume=${from}:${to}`);
  const environment = project.environmentOf(name);
  // A container has a network of its own and listens everywhere on it; here it has an address.
  const own = name === 'setup' ? {} : { HOLDFAST_HOST: address, HOLDFAST_INTERNAL_HOST: address };
  const variables = Object.entries({ ...environment, ...(isServer(name) ? own : {}) });
  return [
    ...mounts,
    // Without the option, buildah mounts a file of its own there, before ours or after it.
    '--no-hosts',
    `--volume=${project.hosts}:/etc/hosts`,
    ...variables.map(([key, value]) => `--env=${key}=${value}`),
  ];
}

function isServer(name: string): boolean {
  return /^(api|worker)-/.test(name);
}

/** The process itself: buildah only waits for it. */
export function innermost(pid: number): number {
  for (let current = pid; ; ) {
    const text = readFileSync(`/proc/${current}/task/${current}/children`, 'utf8').trim();
    const [child] = text.split(' ');
    if (!child) return current;
    current = Number(child);
  }
}
