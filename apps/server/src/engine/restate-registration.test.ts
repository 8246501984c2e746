import { expect, it } from 'vitest';
import { useEngineWorld } from '../testing/engine.ts';
import { openToy, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';

const { world, market } = useEngineWorld();

/** The addresses that Restate would call for any service. */
async function addresses(): Promise<string[]> {
  const response = await fetch(`${world.restate.adminUrl}/deployments`);
  const { deployments } = (await response.json()) as { deployments: { uri: string }[] };
  return deployments.map(({ uri }) => uri);
}

it('lets a worker at another address continue the work of one that is gone', async () => {
  const gone = await world.startWorker();
  const [before] = await addresses();
  const plan = { two: { ms: 1500 } };
  const operation = await openToy(world.app, market.call, { plan });
  await world.app.engine.submit(operation);
  await until(async () => (await traceOf(world, operation)).calls['two'] === 1);
  await gone.kill('SIGKILL');

  await world.startWorker({ HOLDFAST_ENGINE_PORT: '0' });
  // Much sooner than Restate would give up the earlier address.
  await until(async () => (await traceOf(world, operation)).status === 'DONE', 40_000);
  expect(await traceOf(world, operation)).toMatchObject({ effects: { one: 1, two: 1, three: 1 } });
  const after = await addresses();
  expect(after).toHaveLength(1);
  expect(after).not.toContain(before);
}, 90_000);
