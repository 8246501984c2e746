import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endpointSettings,
  type RunningEndpoint,
  serveRestate,
} from '../../engine/restate-endpoint.ts';
import { runJobs } from '../../platform/process/scheduler.ts';
import { useEngineWorld } from '../../testing/engine.ts';
import { numbersOf, publishSequenced, upTo } from '../../testing/sse.ts';
import { until } from '../../testing/until.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver } from '../../testing/webhook-receiver.ts';
import { laneObject } from './deliver-events.ts';
import { dispatchWebhookLanes } from './dispatch-webhook-lanes.ts';

const { world } = useEngineWorld();
const market = useOpenedEach(() => world.market());
const receiver = useOpenedEach(openReceiver);
let endpoint: RunningEndpoint;
let dispatching: { stop(): Promise<void> };
beforeAll(async () => {
  const settings = endpointSettings(world.app.config);
  if (settings === undefined) throw new Error('this world has a Restate');
  endpoint = await serveRestate(world.worker, [laneObject(world.worker)], settings);
  await endpoint.registered;
  dispatching = runJobs(world.worker, [
    {
      name: 'dispatch-webhook-lanes',
      everyMs: 50,
      description: 'as in a worker',
      emits: [],
      run: dispatchWebhookLanes,
    },
  ]);
});
afterAll(async () => {
  await dispatching.stop();
  await endpoint.stop();
});

const happen = (count: number, first = 1) => publishSequenced(world, market, count, first);

const numbers = () => numbersOf(receiver.received.map(({ text }) => JSON.parse(text)));

describe('dispatching through Restate', () => {
  it('delivers an event soon, also after an idle time', async () => {
    await createEndpoint(market, { url: receiver.url });
    await happen(3);
    await until(async () => receiver.received.length === 3, 5000);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await happen(2, 4);
    await until(async () => receiver.received.length === 5, 5000);
    expect(numbers()).toEqual(upTo(5));
  });

  it('retries a failed delivery after its wait, without the dispatcher', async () => {
    const { id } = await createEndpoint(market, { url: receiver.url });
    receiver.respondWith(
      (response) => void response.writeHead(receiver.received.length <= 3 ? 500 : 200).end(),
    );
    await happen(2);
    await until(async () => receiver.received.length === 5, 8000);
    expect(numbers()).toEqual([1, 1, 1, 1, 2]);
    // Restate's own timers did it: no worker had to reclaim the lane.
    expect(await world.rows('select epoch from webhook_lane where id = $1', [id])).toEqual([
      { epoch: 1 },
    ]);
  });
});

describe('dispatching a lost lane', () => {
  it('reclaims it when Restate lost its state, and loses no event', async () => {
    const { id } = await createEndpoint(market, { url: receiver.url });
    receiver.respondWith((response) => void response.writeHead(500).end());
    await happen(2);
    await until(async () => receiver.received.length === 4, 8000);
    await world.restate.kill('SIGKILL');
    await world.restate.start({ wiped: true });
    receiver.respondWith((response) => void response.end());
    await until(async () => numbers().at(-1) === 2, 40_000);
    const [lane] = await world.rows<{ epoch: number }>(
      'select epoch from webhook_lane where id = $1',
      [id],
    );
    expect(lane?.epoch).toBeGreaterThan(1);
  }, 60_000);

  it('reclaims it when its worker died: ten seconds later, under a new epoch', async () => {
    const { id } = await createEndpoint(market, { url: receiver.url });
    // The state that a worker leaves when it dies in the middle, with Restate's memory lost too.
    await world.rows(
      `update webhook_lane set is_leased = true, lease_no = 7, heartbeat_at = now() - interval '11 s',
         next_try_at = now() - interval '12 s' where id = $1`,
      [id],
    );
    await happen(1);
    await until(async () => receiver.received.length === 1, 5000);
    expect(await world.rows('select epoch from webhook_lane where id = $1', [id])).toEqual([
      { epoch: 2 },
    ]);
  });
});
