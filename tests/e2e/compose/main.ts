//! `npm run test:compose`: plays compose.yaml without Docker. Our services run from the image by
//! buildah, the others from programs of this machine. An order closes through the edge, and again
//! while each of our processes is killed; Prometheus scrapes them all.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { text } from '../../harness/options.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { within } from '../../harness/wait.ts';
import { closeOrder } from './close-order.ts';
import { readCompose } from './compose-file.ts';
import { containersOf } from './containers.ts';
import { openImages } from './images.ts';
import { Player } from './player.ts';
import { createProject, type Project } from './project.ts';

const OURS = ['api-1', 'api-2', 'worker-1', 'worker-2'];

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
  await player.completed('setup').catch((error: unknown) => {
    for (const name of OURS) print(player.warningsOf(name).join('\n'));
    throw error;
  });
  print(`up: ${secondsSince(startedAt)}`);
  const { apiKey } = JSON.parse(/^\{"ready".*$/m.exec(player.logOf('setup'))?.[0] ?? '{}') as {
    apiKey: string;
  };
  const wrong: string[] = [];
  wrong.push(...(await closeOrder(project, apiKey, 'an order')));
  for (const name of OURS) {
    const order = closeOrder(project, apiKey, `an order while ${name} is killed`);
    await player.killAndRestart(name);
    wrong.push(...(await order));
    await player.healthy(name);
  }
  wrong.push(...(await unscraped(project)));
  for (const [name, ms] of await player.down())
    if (OURS.includes(name)) print(`${name} ended ${(ms / 1000).toFixed(1)} s after SIGTERM`);
  print(`all: ${secondsSince(startedAt)}`);
  return wrong;
});

/** The targets that Prometheus does not reach, and whether it has the alerts. */
async function unscraped(project: Project): Promise<string[]> {
  interface Target {
    readonly scrapeUrl: string;
    readonly health: string;
    readonly lastError: string;
  }
  interface Found {
    readonly targets: { readonly activeTargets: readonly Target[] };
    readonly rules: { readonly groups: readonly { readonly rules: readonly unknown[] }[] };
  }
  const get = async <K extends keyof Found>(what: K): Promise<Found[K] | undefined> => {
    const url = `http://${project.addressOf('prometheus')}:9090/api/v1/${what}`;
    const response = await fetch(url).catch(() => undefined);
    return ((await response?.json()) as { data: Found[K] } | undefined)?.data;
  };
  const targets = async () => (await get('targets'))?.activeTargets ?? [];
  const bad = ({ health }: Target) => health !== 'up';
  await within(30_000, async () => {
    const all = await targets();
    return all.length > 0 && !all.some(bad);
  });
  const all = await targets();
  const rules = ((await get('rules'))?.groups ?? []).flatMap((group) => group.rules);
  print(`Prometheus: ${all.length} targets, ${rules.length} rules`);
  return [
    ...(all.length === 0 ? ['Prometheus has no targets'] : []),
    ...(rules.length === 0 ? ['Prometheus has no rules'] : []),
    ...all.filter(bad).map((each) => `${each.scrapeUrl}: ${each.health} ${each.lastError}`),
  ];
}
