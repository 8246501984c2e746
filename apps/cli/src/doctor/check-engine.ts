//! Does Restate answer, does it know our workers, and does one of them listen?
import { connect } from 'node:net';
import { type Check, faulty, fine, reasonOf } from './check.ts';
import { partHealth } from './part-health.ts';

const ANSWER_MS_MAX = 3000;

const CURE =
  'start it, or correct HOLDFAST_ENGINE_INGRESS_URL; what was in flight goes on by itself';
const PART = {
  name: 'engine',
  called: 'Restate with a worker',
  setting: 'HOLDFAST_ENGINE_INGRESS_URL',
  fault: 'engine-down',
  cure: CURE,
} as const;

export const checkEngine: Check = {
  name: 'engine',
  needsServer: false,
  async look({ settings, url }) {
    const { HOLDFAST_ENGINE_INGRESS_URL: ingress, HOLDFAST_CELL: cell = 'c1' } = settings;
    if (!ingress) return partHealth(url, PART);
    let services: readonly string[];
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      const answer = await fetch(`${ingress}/restate/health`, { signal });
      services = ((await answer.json()) as { services?: string[] }).services ?? [];
    } catch (error) {
      return faulty(
        'engine-down',
        `Restate does not answer at ${ingress}: ${reasonOf(error)}`,
        CURE,
      );
    }
    if (!services.includes(`resource-${cell}`))
      return faulty(
        'engine-down',
        `Restate at ${ingress} knows no worker of cell ${cell}`,
        'start a worker with HOLDFAST_ENGINE_ADMIN_URL: it registers within seconds',
      );
    const worker = workerPlace(settings);
    const reason = worker === undefined ? undefined : await whyClosed(worker);
    if (reason !== undefined)
      return faulty(
        'engine-down',
        `no worker listens at ${worker?.hostname}:${worker?.port}: ${reason}`,
        'start a worker: `holdfast worker`',
      );
    return fine(`Restate answers at ${ingress} and knows the workers of cell ${cell}`);
  },
};

/** Undefined where the port is any free one: only Restate knows it then. */
function workerPlace(settings: Readonly<Record<string, string | undefined>>): URL | undefined {
  const { HOLDFAST_ENGINE_WORKER_URL: url, HOLDFAST_ENGINE_PORT: port = '0' } = settings;
  if (url) return new URL(url);
  return port === '0'
    ? undefined
    : new URL(`http://${settings['HOLDFAST_HOST'] ?? '127.0.0.1'}:${port}`);
}

function whyClosed({ hostname, port, protocol }: URL): Promise<string | undefined> {
  const place = { host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  return new Promise((resolve) => {
    const socket = connect(place, () => end(undefined));
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(ANSWER_MS_MAX, () => end('no answer in time'));
    socket.once('error', (error) => end(reasonOf(error)));
  });
}
