import { type Clock, manualClock, systemClock } from '@holdfast/kernel/clock';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  listen,
  numbersOf,
  openSse,
  publishNewer,
  publishSequenced,
  upTo,
} from '../../testing/sse.ts';
import { eventually, until } from '../../testing/until.ts';
import { useOpenedEach, useWorld } from '../../testing/use-world.ts';
import {
  type CreatedEndpoint,
  createEndpoint,
  isSignedWith,
  openReceiver,
  type Received,
  runLane,
} from '../../testing/webhook-receiver.ts';

interface AheadClock extends Clock {
  advance(ms: number): void;
  /** From now on only `advance` moves it, until it is `start`ed again. */
  stop(): void;
  start(): void;
}

/** Runs like the machine's, and can be put forward. */
function aheadClock(): AheadClock {
  const ahead = manualClock(0);
  let stoppedAt: number | undefined;
  return {
    now: () => (stoppedAt ?? systemClock.now()) + ahead.now(),
    advance: (ms) => ahead.advance(ms),
    stop: () => {
      stoppedAt = systemClock.now();
    },
    start: () => {
      stoppedAt = undefined;
    },
  };
}

const clock = aheadClock();
const world = useWorld({ clock });
const market = useOpenedEach(() => world.market());
const receiver = useOpenedEach(openReceiver);
afterEach(() => clock.start());

const endpointFor = (body: object = {}) => createEndpoint(market, { url: receiver.url, ...body });
const eventsOf = (received: readonly Received[]) => received.map(({ text }) => JSON.parse(text));
const numbers = () => numbersOf(eventsOf(receiver.received));

const happen = (count: number, first = 1) => publishSequenced(world, market, count, first);

async function show({ id }: CreatedEndpoint) {
  return (await market.send('GET', `/webhook-endpoints/${id}`)).json.data.data;
}

async function deliveriesOf({ id }: CreatedEndpoint, query = '') {
  const { json } = await market.send('GET', `/webhook-endpoints/${id}/deliveries?${query}`);
  return json.data.data;
}

const act = (created: CreatedEndpoint, what: string, body: object = {}) =>
  market.send('POST', `/webhook-endpoints/${created.id}/${what}`, { body });

/** Fails this many times, then accepts everything. */
function failFirst(times: number, status = 500): void {
  let left = times;
  receiver.respondWith((response) => {
    left -= 1;
    response.writeHead(left >= 0 ? status : 200).end(left >= 0 ? 'not now' : 'thanks');
  });
}

describe('an event', () => {
  it('is sent, in order and once, to an endpoint that existed before it', async () => {
    await happen(3);
    const created = await endpointFor();
    await happen(250, 4);
    expect(await runLane(world, market, created.id)).toEqual({ kind: 'over' });
    expect(numbers()).toEqual(upTo(250, 4));
    expect(await runLane(world, market, created.id)).toEqual({ kind: 'over' });
    expect(receiver.received).toHaveLength(250);
    expect(await show(created)).toMatchObject({ backlog: 0, failures: 0 });
    expect(receiver.connections).toBe(1);
  });

  it('is sent too when it occurs during a run', async () => {
    const created = await endpointFor();
    await happen(1);
    const run = runLane(world, market, created.id);
    await until(async () => receiver.received.length === 1);
    await happen(2, 2);
    await run;
    expect(numbers()).toEqual([1, 2, 3]);
  });

  it('is sent with the bytes of the stream, and signed', async () => {
    const created = await endpointFor();
    const reader = await openSse(await listen(world), { key: market.key });
    await market.user();
    await happen(1);
    await eventually(10_000, () => expect(reader.messages.length).toBe(2));
    await runLane(world, market, created.id);
    expect(receiver.received.map(({ text }) => text)).toEqual(
      reader.messages.map(({ data }) => data),
    );
    reader.close();
    const log = await market.send('GET', '/events/log');
    expect(eventsOf(receiver.received)).toEqual(log.json.data.data);
    for (const each of receiver.received) {
      expect(isSignedWith(created.secret, each)).toBe(true);
      expect(isSignedWith(`whsec_${Buffer.alloc(32).toString('base64')}`, each)).toBe(false);
      expect(each.headers['webhook-id']).toBe(JSON.parse(each.text).eventId);
      expect(each.headers['content-type']).toBe('application/json');
    }
  });

  it('is sent only to endpoints that subscribe to its type', async () => {
    const created = await endpointFor({ types: ['balance.*', 'order.created'] });
    const userId = await market.user();
    const credit = { body: { amount: '1.00' } };
    await market.send('POST', `/users/${userId}/balance/credit`, credit);
    await happen(3);
    await runLane(world, market, created.id);
    expect(eventsOf(receiver.received).map(({ eventType }) => eventType)).toEqual([
      'balance.credited',
    ]);
    expect(await show(created)).toMatchObject({ backlog: 0 });
  });

  it.each([['order.*'], ['order.taxed'], ['user.created', 'order.taxed']])(
    'is sent though only a newer build knows its type, for the pattern %s',
    async (...patterns) => {
      const endpoint = await endpointFor({ types: ['order.created'] });
      const other = await openReceiver();
      onTestFinished(() => other.close());
      const unwanted = await createEndpoint(market, { url: other.url, types: ['user.*'] });
      // As the newer build has stored it.
      await world.rows('update webhook_endpoint set types = $2 where id = $1', [
        endpoint.id,
        patterns,
      ]);
      expect((await show(endpoint)).types).toEqual(patterns);
      await publishNewer(world, market, 'order.taxed');
      for (const { id } of [endpoint, unwanted]) await runLane(world, market, id);
      expect(eventsOf(receiver.received)).toMatchObject([{ eventType: 'order.taxed' }]);
      expect(other.received).toEqual([]);
    },
  );

  it('is not sent to endpoints of another marketplace', async () => {
    const created = await endpointFor();
    await publishSequenced(world, await world.market(), 3);
    await runLane(world, market, created.id);
    expect(receiver.received).toEqual([]);
  });
});

describe('an endpoint that fails', () => {
  it('receives the same event again, later each time, and then the following ones', async () => {
    const created = await endpointFor();
    await happen(3);
    failFirst(2);
    clock.stop();
    const first = await runLane(world, market, created.id);
    expect(first).toMatchObject({ kind: 'again' });
    expect(numbers()).toEqual([1]);
    expect(await show(created)).toMatchObject({ failures: 1, backlog: 3, status: 'ACTIVE' });
    // Nothing is sent before the wait is over.
    expect(await runLane(world, market, created.id)).toEqual({ kind: 'over' });
    clock.advance(300);
    expect(await runLane(world, market, created.id)).toMatchObject({ kind: 'again' });
    clock.advance(600);
    await runLane(world, market, created.id);
    expect(numbers()).toEqual([1, 1, 1, 2, 3]);
    expect(await show(created)).toMatchObject({ failures: 0, failingSince: null, backlog: 0 });
    const [, , delivery] = await deliveriesOf(created);
    expect(delivery).toMatchObject({ outcome: 'DELIVERED', kind: 'LIVE', attemptCount: 3 });
    expect(delivery.attempts).toMatchObject([
      { status: 500, response: 'not now', reason: 'HTTP status 500' },
      { status: 500 },
      { status: 200, response: 'thanks', reason: null },
    ]);
  });

  it('keeps the deliveries before a failure', async () => {
    const created = await endpointFor();
    await happen(30);
    receiver.respondWith((response, { text }) => {
      const [number] = numbersOf([JSON.parse(text)]);
      response.writeHead(number === 25 ? 503 : 200).end();
    });
    await runLane(world, market, created.id);
    expect(await show(created)).toMatchObject({ backlog: 6, failures: 1 });
    receiver.respondWith((response) => void response.end());
    clock.advance(300);
    await runLane(world, market, created.id);
    expect(numbers()).toEqual([...upTo(25), ...upTo(6, 25)]);
  });

  it('is paused after three days, with its backlog, and resumes where it was', async () => {
    const created = await endpointFor();
    await happen(2);
    receiver.respondWith((response) => void response.writeHead(500).end());
    await runLane(world, market, created.id);
    clock.advance(259_200_000);
    expect(await runLane(world, market, created.id)).toEqual({ kind: 'over' });
    const shown = await show(created);
    expect(shown).toMatchObject({
      status: 'PAUSED',
      pauseReason: 'Paused automatically: deliveries kept failing. Last attempt: HTTP status 500.',
    });
    expect(shown).toMatchObject({ backlog: 2, failures: 2 });
    await world.sequence();
    const { json: log } = await market.send('GET', '/events/log?types=webhook.paused');
    expect(log.data.data).toMatchObject([
      { aggregateId: created.id, payload: { cause: 'KEEPS_FAILING', url: receiver.url } },
    ]);
    const audited = await market.send('GET', '/audit/logs?action=WEBHOOK_ENDPOINT_PAUSED');
    expect(audited.json.data.data).toMatchObject([
      { resourceId: created.id, result: 'FAILURE', actorType: 'SYSTEM' },
    ]);
    // Nothing is sent while it is paused, for any request.
    const before = receiver.received.length;
    expect(await runLane(world, market, created.id)).toEqual({ kind: 'over' });
    expect(receiver.received).toHaveLength(before);
    receiver.respondWith((response) => void response.end());
    await act(created, 'resume');
    await runLane(world, market, created.id);
    const sent = eventsOf(receiver.received.slice(before));
    expect(sent.map(({ eventType }) => eventType)).toEqual([
      'user.created',
      'user.created',
      'webhook.paused',
    ]);
    expect(await show(created)).toMatchObject({ status: 'ACTIVE', failures: 0, backlog: 0 });
  });

  it('is paused at once when it returns 410', async () => {
    const created = await endpointFor();
    await happen(1);
    failFirst(1, 410);
    await runLane(world, market, created.id);
    expect(await show(created)).toMatchObject({ status: 'PAUSED' });
  });

  it('delays no other endpoint', async () => {
    const [slow, quick] = [await endpointFor({ url: `${receiver.url}/slow` }), await endpointFor()];
    await happen(2);
    receiver.respondWith((response, { url }) => {
      if (!url.endsWith('/slow')) response.end();
    });
    const stopping = new AbortController();
    void runLane(world, market, slow.id, stopping.signal);
    await until(async () => receiver.received.length === 1);
    await runLane(world, market, quick.id);
    expect(receiver.received.filter(({ url }) => url === '/hook')).toHaveLength(2);
    stopping.abort();
  });
});
