//! Checks what the host of a process must give it: in the image, under Kubernetes, under systemd.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { internalUrl } from '../commands/health.ts';
import { type Check, type Finding, faulty, fine, reasonOf } from './check.ts';

type Settings = Readonly<Record<string, string | undefined>>;

export type Host = 'Kubernetes' | 'systemd' | 'the image' | 'no host of its own';

const IMAGE_FOLDER = '/opt/holdfast/node_modules/holdfast';
const RESPONSE_TIMEOUT_MS = 2000;

export const checkHost: Check = {
  name: 'host',
  needsServer: false,
  async run({ settings }) {
    const host = findHost(settings);
    const found =
      ofSecretFiles(settings) ??
      ofLinkVariables(settings) ??
      ofGrace(settings, stopSecondsOf(host));
    if (found !== undefined) return found;
    const isHosted = host !== 'no host of its own' && settings['NODE_ENV'] !== 'development';
    return (isHosted ? await ofInternalPort(settings) : undefined) ?? fine(summaryOf(host));
  },
};

/** As far as a process can see it. */
export function findHost(settings: Settings, exists: (path: string) => boolean = existsSync): Host {
  if (settings['KUBERNETES_SERVICE_HOST']) return 'Kubernetes';
  if (settings['CREDENTIALS_DIRECTORY']) return 'systemd';
  return exists(IMAGE_FOLDER) ? 'the image' : 'no host of its own';
}

function summaryOf(host: Host): string {
  if (host === 'Kubernetes') return 'under Kubernetes; the grace period is not visible from a pod';
  return host === 'no host of its own' ? 'not in the image, Kubernetes or systemd' : `in ${host}`;
}

/** A process without one of its secrets does not start; as root, every file would be readable. */
export function ofSecretFiles(settings: Settings): Finding | undefined {
  for (const [name, path] of Object.entries(settings)) {
    if (!/^(HOLDFAST_\w+|\w+_WEBHOOK_SECRET|DATABASE_URL|REDIS_URL)_FILE$/.test(name) || !path)
      continue;
    const problem = problemOf(path);
    if (problem !== undefined)
      return faulty(
        'secret-file',
        `${name} names ${path}, ${problem}`,
        'mount the secret there, readable for the user of the process (65532 in the image)',
      );
  }
  return undefined;
}

function problemOf(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).size === 0 ? 'which is empty' : undefined;
  } catch (error) {
    const { code } = error as { code?: string };
    return code === 'ENOENT' ? 'which does not exist' : 'which cannot be read';
  }
}

/** They are ignored; but they show every process the address of every service. */
export function ofLinkVariables(settings: Settings): Finding | undefined {
  const isLink = ([name, value]: [string, string | undefined]) =>
    name.startsWith('HOLDFAST_') && /^(tcp|udp):\/\//.test(value ?? '');
  const link = Object.entries(settings).find(isLink);
  if (link === undefined) return undefined;
  return faulty(
    'service-links',
    `${link[0]} is a variable of Kubernetes, not a setting`,
    'set enableServiceLinks: false in the pod, as deploy/kubernetes does',
  );
}

/** `stopSeconds`: until the host kills the process; undefined where it is not visible. */
export function ofGrace(settings: Settings, stopSeconds: number | undefined): Finding | undefined {
  if (stopSeconds === undefined) return undefined;
  const { HOLDFAST_DRAIN_MS: drain = '5000', HOLDFAST_SHUTDOWN_MS: shutdown = '35000' } = settings;
  const needed = (Number(drain) + Number(shutdown)) / 1000;
  if (stopSeconds > needed) return undefined;
  return faulty(
    'short-grace',
    `the host kills the process ${stopSeconds} s after SIGTERM, but it may take ${needed} s to end`,
    'increase TimeoutStopSec above HOLDFAST_DRAIN_MS and HOLDFAST_SHUTDOWN_MS together',
  );
}

function stopSecondsOf(host: Host): number | undefined {
  if (host !== 'systemd') return undefined;
  try {
    const [, unit = ''] =
      /([^/\n]+\.service)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
    const args = ['show', unit, '--property=TimeoutStopUSec', '--value'];
    const text = execFileSync('systemctl', args, { encoding: 'utf8', stdio: 'pipe' });
    const [, minutes = '0'] = /(\d+)min/.exec(text) ?? [];
    const [, seconds = '0'] = /(\d+)s/.exec(text) ?? [];
    return Number(minutes) * 60 + Number(seconds) || undefined;
  } catch {
    return undefined;
  }
}

async function ofInternalPort(settings: Settings): Promise<Finding | undefined> {
  const url = `${internalUrl(settings)}/live`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return undefined;
  } catch (error) {
    return faulty(
      'internal-port',
      `no response at ${url}: ${reasonOf(error)}`,
      'run doctor beside the process, with its settings; its probes use HOLDFAST_INTERNAL_HOST and HOLDFAST_INTERNAL_PORT',
    );
  }
}
