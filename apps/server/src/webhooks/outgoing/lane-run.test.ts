import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { numbersOf, publishSequenced, upTo } from '../../testing/sse.ts';
import { until } from '../../testing/until.ts';
import { useOpenedEach, useWorld } from '../../testing/use-world.ts';
import {
  type CreatedEndpoint,
  createEndpoint,
  openReceiver,
  type Received,
  runLane,
} from '../../testing/webhook-receiver.ts';
import { laneWaitMs } from './lane-run.ts';

const world = useWorld();
const market = useOpenedEach(() => world.market());
const receiver = useOpenedEach(openReceiver);

const endpointFor = () => createEndpoint(market, { url: receiver.url });
const eventsOf = (received: readonly Received[]) => received.map(({ text }) => JSON.parse(text));
const numbers = () => numbersOf(eventsOf(receiver.received));

const happen = (count: number, first = 1) => publishSequenced(world, market, count, first);

async function show({ id }: CreatedEndpoint) {
  return (await market.send('GET', `/webhook-endpoints/${id}`)).json.data.data;
}

async function deliveriesOf({ id }: CreatedEndpoint) {
  return (await market.send('GET', `/webhook-endpoints/${id}/deliveries`)).json.data.data;
}

it('waits a fifth of a second at first and minutes at last', () => {
  for (const [failures, usual] of [200, 400, 800, 1600].entries()) {
    expect(laneWaitMs(failures)).toBeGreaterThanOrEqual(usual * 0.8);
    expect(laneWaitMs(failures)).toBeLessThanOrEqual(usual * 1.2);
  }
  expect(laneWaitMs(500)).toBeLessThanOrEqual(360_000);
  expect(laneWaitMs(500)).toBeGreaterThanOrEqual(240_000);
});

describe('running two leases of one lane', () => {
  /** A run whose first delivery gets no reply until `held` is resolved. */
  async function startHeld({ id }: CreatedEndpoint) {
    const held = Promise.withResolvers<void>();
    receiver.respondWith(async (response) => {
      await held.promise;
      response.end();
    });
    const earlier = runLane(world, market, id);
    await until(async () => receiver.received.length === 1);
    return { earlier, held };
  }

  it('lets only the later one write, and leaves no event out', async () => {
    const created = await endpointFor();
    await happen(3);
    const { earlier, held } = await startHeld(created);
    receiver.respondWith((response) => void response.end());
    await runLane(world, market, created.id);
    expect(numbers()).toEqual([1, 1, 2, 3]);
    held.resolve();
    expect(await earlier).toEqual({ kind: 'over' });
    expect(
      (await deliveriesOf(created)).map((each: { attemptCount: number }) => each.attemptCount),
    ).toEqual([1, 1, 1]);
    // At most, it sent the event in hand a second time.
    expect(receiver.received.length).toBeLessThanOrEqual(4 + 3);
  });

  it('ends a lease that read the endpoint before a change', async () => {
    const created = await endpointFor();
    await happen(2);
    const { earlier, held } = await startHeld(created);
    const body = { url: `${receiver.url}/new` };
    await market.send('PATCH', `/webhook-endpoints/${created.id}`, { body });
    held.resolve();
    receiver.respondWith((response) => void response.end());
    await earlier;
    await runLane(world, market, created.id);
    const sent = receiver.received.filter(({ url }) => url === '/hook/new');
    expect(numbersOf(eventsOf(sent))).toEqual([1, 2]);
  });
});

describe('stopping a worker', () => {
  it('leaves the lane to the next one, without a failure', async () => {
    const created = await endpointFor();
    await happen(100);
    const stopping = new AbortController();
    receiver.respondWith(async (response) => {
      if (receiver.received.length === 10) stopping.abort();
      await sleep(1);
      response.end();
    });
    expect(await runLane(world, market, created.id, stopping.signal)).toEqual({ kind: 'over' });
    expect(receiver.received).toHaveLength(10);
    expect(await show(created)).toMatchObject({ backlog: 90, failures: 0 });
    await runLane(world, market, created.id);
    expect(numbers()).toEqual(upTo(100));
  });
});

describe('events past retention', () => {
  it('are skipped when they were not delivered, and reported as missing', async () => {
    const created = await endpointFor();
    await happen(5);
    await world.rows('delete from event where marketplace_id = $1 and position <= 3', [
      market.call.actor.marketplace,
    ]);
    await runLane(world, market, created.id);
    expect(numbers()).toEqual([4, 5]);
    const audited = await market.send('GET', '/audit/logs?action=WEBHOOK_EVENTS_MISSED');
    expect(audited.json.data.data).toMatchObject([
      { resourceId: created.id, result: 'FAILURE', after: { events: 3 } },
    ]);
  });

  it('are all skipped, and the lane continues with new events', async () => {
    const created = await endpointFor();
    await happen(5);
    const { marketplace } = market.call.actor;
    await world.rows('delete from event where marketplace_id = $1', [marketplace]);
    await runLane(world, market, created.id);
    await happen(1, 6);
    await runLane(world, market, created.id);
    expect(numbers()).toEqual([6]);
  });
});
