//! `npm run test:compose`: plays compose.yaml without Docker. Our services run from the image by
//! buildah, the others from programs of this machine. An order closes through the edge, and again
//! while each of our processes is killed; Prometheus scrapes them all.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Holdfast } from '@holdfast/sdk';
import { orderScenarios } from '../../../apps/cli/src/scenarios/order-scenarios.ts';
import { openSandbox } from '../../../apps/cli/src/scenarios/sandbox.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { text } from '../../harness/options.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { within } from '../../harness/wait.ts';
import { readCompose } from './compose-file.ts';
import { containersOf } from './containers.ts';
import { openImages } from './images.ts';
import { Player } from './player.ts';
import { createProject, type Project } from './project.ts';

const OURS = ['api-1', 'api-2', 'worker-1', 'worker-2'];
const ORDER_MS_MAX = 60_000;

const command = {
  name: 'npm run test:compose',
  options: {
    images: text('DIR', 'take the archives that `npm run image` wrote to DIR (default: build)'),
  },
};

await runHarness(command, async ({ images }) => {
  const startedAt = performance.now();
  using folder = createTemporaryFolder('holdfast-compose');
  const file = readCompose('compose.yaml', 'compose.override.yaml');
  const names = [...new Set(Object.values(file.services).map(({ image }) => image))];
  const ours = names.filter((name) => name.startsWith('holdfast'));
  mkdirSync(join(folder.path, 'images'));
  const { storage, opened } = await openImages(join(folder.path, 'images'), ours, images);
  print(`images: ${secondsSince(startedAt)}`);
  const project = createProject(file, folder.path);
  await using player = new Player(project, containersOf(project, opened, storage));
  await player.up();
  await player.completed('setup');
  print(`up: ${secondsSince(startedAt)}`);
  const { apiKey } = JSON.parse(/^\{"ready".*$/m.exec(player.logOf('setup'))?.[0] ?? '{}') as {
    apiKey: string;
  };
  const wrong: string[] = [];
  await closeOrder(project, apiKey, wrong, 'an order');
  for (const name of OURS) {
    const order = closeOrder(project, apiKey, wrong, `an order while ${name} is killed`);
    await player.killAndRestart(name);
    await order;
    await player.healthy(name);
  }
  wrong.push(...(await unscraped(project)));
  for (const [name, ms] of await player.down())
    if (OURS.includes(name)) print(`${name} ended ${(ms / 1000).toFixed(1)} s after SIGTERM`);
  print(`all: ${secondsSince(startedAt)}`);
  return wrong;
});

/** From its creation to its release, over HTTP through the edge. */
async function closeOrder(
  project: Project,
  apiKey: string,
  wrong: string[],
  what: string,
): Promise<void> {
  const startedAt = performance.now();
  const scenario = orderScenarios['order.released'];
  const baseUrl = `http://${project.addressOf('edge')}:8080`;
  try {
    const { id, status } = await scenario.run({
      holdfast: new Holdfast({ baseUrl, apiKey }),
      sandbox: openSandbox(`http://${project.addressOf('sandbox')}:4500`),
      people: new Map(),
      amount: scenario.amount,
      report: () => undefined,
    });
    const holdfast = new Holdfast({ baseUrl, apiKey });
    const isClosed = async () => (await holdfast.orders.get(id)).status === 'CLOSED';
    if (!(await within(ORDER_MS_MAX, isClosed))) wrong.push(`${what}: ${id} is ${status}`);
    print(`${what}: closed after ${secondsSince(startedAt)}`);
  } catch (error) {
    wrong.push(`${what}: ${String(error)}`);
  }
}

/** The targets that Prometheus does not reach. */
async function unscraped(project: Project): Promise<string[]> {
  const url = `http://${project.addressOf('prometheus')}:9090/api/v1/targets`;
  interface Target {
    readonly scrapeUrl: string;
    readonly health: string;
    readonly lastError: string;
  }
  const targets = async (): Promise<readonly Target[]> => {
    const response = await fetch(url).catch(() => undefined);
    const body = (await response?.json()) as { data: { activeTargets: Target[] } } | undefined;
    return body?.data.activeTargets ?? [];
  };
  const bad = ({ health }: Target) => health !== 'up';
  await within(30_000, async () => {
    const all = await targets();
    return all.length > 0 && !all.some(bad);
  });
  const all = await targets();
  if (all.length === 0) return ['Prometheus has no targets'];
  return all.filter(bad).map((each) => `${each.scrapeUrl}: ${each.health} ${each.lastError}`);
}
