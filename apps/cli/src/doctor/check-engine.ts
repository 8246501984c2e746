//! Checks that Restate responds, has our workers registered, and that one of them listens.
import { connect } from 'node:net';
import { type Check, faulty, fine, reasonOf } from './check.ts';
import { componentHealth } from './component-health.ts';

const RESPONSE_TIMEOUT_MS = 3000;

const FIX = 'start Restate, or correct HOLDFAST_ENGINE_INGRESS_URL; pending operations then resume';
const COMPONENT = {
  name: 'engine',
  called: 'the workflow engine (Restate)',
  setting: 'HOLDFAST_ENGINE_INGRESS_URL',
  fault: 'engine-down',
  fix: FIX,
} as const;

export const checkEngine: Check = {
  name: 'engine',
  needsServer: false,
  async run({ settings, url }) {
    const { HOLDFAST_ENGINE_INGRESS_URL: ingress, HOLDFAST_CELL: cell = 'c1' } = settings;
    if (!ingress) return componentHealth(url, COMPONENT);
    let services: readonly string[];
    try {
      const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
      const response = await fetch(`${ingress}/restate/health`, { signal });
      services = ((await response.json()) as { services?: string[] }).services ?? [];
    } catch (error) {
      return faulty(
        'engine-down',
        `Restate does not respond at ${ingress}: ${reasonOf(error)}`,
        FIX,
      );
    }
    if (!services.includes(`resource-${cell}`))
      return faulty(
        'engine-down',
        `no worker is registered with Restate at ${ingress} (cell ${cell})`,
        'set HOLDFAST_ENGINE_ADMIN_URL and start a worker with `holdfast worker`; it registers within seconds',
      );
    const worker = workerUrl(settings);
    const reason = worker === undefined ? undefined : await whyClosed(worker);
    if (reason !== undefined)
      return faulty(
        'engine-down',
        `no worker listening at ${worker?.hostname}:${worker?.port}: ${reason}`,
        'start a worker with `holdfast worker`',
      );
    return fine(`Restate responds at ${ingress}; workers of cell ${cell} are registered`);
  },
};

/** Undefined where the port is any free one: only Restate knows it then. */
function workerUrl(settings: Readonly<Record<string, string | undefined>>): URL | undefined {
  const { HOLDFAST_ENGINE_WORKER_URL: url, HOLDFAST_ENGINE_PORT: port = '0' } = settings;
  if (url) return new URL(url);
  return port === '0'
    ? undefined
    : new URL(`http://${settings['HOLDFAST_HOST'] ?? '127.0.0.1'}:${port}`);
}

function whyClosed({ hostname, port, protocol }: URL): Promise<string | undefined> {
  const address = { host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  return new Promise((resolve) => {
    const socket = connect(address, () => end(undefined));
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => end('timed out'));
    socket.once('error', (error) => end(reasonOf(error)));
  });
}
