import { type Clock, manualClock, systemClock } from '@holdfast/kernel/clock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen, numbersOf, openSse, publish } from '../testing/sse.ts';
import { eventually, until } from '../testing/until.ts';
import {
  drive,
  isSignedWith,
  type MadeEndpoint,
  makeEndpoint,
  openReceiver,
  type Received,
  type WebhookReceiver,
} from '../testing/webhook-receiver.ts';
import { type Market, openWorld, type World } from '../testing/world.ts';

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
let world: World;
let market: Market;
let receiver: WebhookReceiver;
beforeAll(async () => {
  world = await openWorld({ clock });
});
beforeEach(async () => {
  market = await world.market();
  receiver = await openReceiver();
});
afterEach(async () => {
  clock.start();
  await receiver.close();
});
afterAll(() => world.close());

const endpointFor = (body: object = {}) => makeEndpoint(market, { url: receiver.url, ...body });
const eventsOf = (received: readonly Received[]) => received.map(({ text }) => JSON.parse(text));
const numbers = () => numbersOf(eventsOf(receiver.received));
const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, at) => first + at);

async function happen(count: number, first = 1): Promise<void> {
  await publish(world, market, count, first);
  await world.sequence();
}

async function show({ id }: MadeEndpoint) {
  return (await market.send('GET', `/webhook-endpoints/${id}`)).json.data.data;
}

async function deliveriesOf({ id }: MadeEndpoint, query = '') {
  const { json } = await market.send('GET', `/webhook-endpoints/${id}/deliveries?${query}`);
  return json.data.data;
}

const act = (made: MadeEndpoint, what: string, body: object = {}) =>
  market.send('POST', `/webhook-endpoints/${made.id}/${what}`, { body });

/** Fails so many times, then takes everything. */
function failFirst(times: number, status = 500): void {
  let left = times;
  receiver.answer((response) => {
    left -= 1;
    response.writeHead(left >= 0 ? status : 200).end(left >= 0 ? 'not now' : 'thanks');
  });
}

describe('what happens', () => {
  it('after an endpoint was made is sent to it, in order, once', async () => {
    await happen(3);
    const made = await endpointFor();
    await happen(250, 4);
    expect(await drive(world, market, made.id)).toEqual({ kind: 'over' });
    expect(numbers()).toEqual(upTo(250, 4));
    expect(await drive(world, market, made.id)).toEqual({ kind: 'over' });
    expect(receiver.received).toHaveLength(250);
    expect(await show(made)).toMatchObject({ backlog: 0, failures: 0 });
    expect(receiver.connections).toBe(1);
  });

  it('while it is being sent is sent too', async () => {
    const made = await endpointFor();
    await happen(1);
    const turn = drive(world, market, made.id);
    await until(async () => receiver.received.length === 1);
    await happen(2, 2);
    await turn;
    expect(numbers()).toEqual([1, 2, 3]);
  });

  it('is sent to the byte as the stream sends it, and signed', async () => {
    const made = await endpointFor();
    const reader = await openSse(await listen(world), { key: market.key });
    await market.user();
    await happen(1);
    await eventually(10_000, () => expect(reader.messages.length).toBe(2));
    await drive(world, market, made.id);
    expect(receiver.received.map(({ text }) => text)).toEqual(
      reader.messages.map(({ data }) => data),
    );
    reader.close();
    const log = await market.send('GET', '/events/log');
    expect(eventsOf(receiver.received)).toEqual(log.json.data.data);
    for (const each of receiver.received) {
      expect(isSignedWith(made.secret, each)).toBe(true);
      expect(isSignedWith(`whsec_${Buffer.alloc(32).toString('base64')}`, each)).toBe(false);
      expect(each.headers['webhook-id']).toBe(JSON.parse(each.text).eventId);
      expect(each.headers['content-type']).toBe('application/json');
    }
  });

  it('is sent only where its type is wanted', async () => {
    const made = await endpointFor({ types: ['balance.*', 'order.created'] });
    const userId = await market.user();
    const credit = { body: { amount: '1.00' } };
    await market.send('POST', `/users/${userId}/balance/credit`, credit);
    await happen(3);
    await drive(world, market, made.id);
    expect(eventsOf(receiver.received).map(({ eventType }) => eventType)).toEqual([
      'balance.credited',
    ]);
    expect(await show(made)).toMatchObject({ backlog: 0 });
  });

  it('elsewhere is sent to nobody here', async () => {
    const made = await endpointFor();
    await publish(world, await world.market(), 3);
    await world.sequence();
    await drive(world, market, made.id);
    expect(receiver.received).toEqual([]);
  });
});

describe('an endpoint that fails', () => {
  it('gets the same event again, later each time, and then what follows', async () => {
    const made = await endpointFor();
    await happen(3);
    failFirst(2);
    clock.stop();
    const first = await drive(world, market, made.id);
    expect(first).toMatchObject({ kind: 'again' });
    expect(numbers()).toEqual([1]);
    expect(await show(made)).toMatchObject({ failures: 1, backlog: 3, status: 'ACTIVE' });
    // Before its time nothing is sent.
    expect(await drive(world, market, made.id)).toEqual({ kind: 'over' });
    clock.advance(300);
    expect(await drive(world, market, made.id)).toMatchObject({ kind: 'again' });
    clock.advance(600);
    await drive(world, market, made.id);
    expect(numbers()).toEqual([1, 1, 1, 2, 3]);
    expect(await show(made)).toMatchObject({ failures: 0, failingSince: null, backlog: 0 });
    const [, , told] = await deliveriesOf(made);
    expect(told).toMatchObject({ outcome: 'DELIVERED', kind: 'LIVE', attemptCount: 3 });
    expect(told.attempts).toMatchObject([
      { status: 500, answer: 'not now', reason: 'answered 500' },
      { status: 500 },
      { status: 200, answer: 'thanks', reason: null },
    ]);
  });

  it('in the middle keeps what was delivered before', async () => {
    const made = await endpointFor();
    await happen(30);
    receiver.answer((response, { text }) => {
      const [number] = numbersOf([JSON.parse(text)]);
      response.writeHead(number === 25 ? 503 : 200).end();
    });
    await drive(world, market, made.id);
    expect(await show(made)).toMatchObject({ backlog: 6, failures: 1 });
    receiver.answer((response) => void response.end());
    clock.advance(300);
    await drive(world, market, made.id);
    expect(numbers()).toEqual([...upTo(25), ...upTo(6, 25)]);
  });

  it('for three days is paused, loudly, with its backlog, and goes on where it was', async () => {
    const made = await endpointFor();
    await happen(2);
    receiver.answer((response) => void response.writeHead(500).end());
    await drive(world, market, made.id);
    clock.advance(259_200_000);
    expect(await drive(world, market, made.id)).toEqual({ kind: 'over' });
    const shown = await show(made);
    expect(shown).toMatchObject({ status: 'PAUSED', pauseReason: 'last attempt: answered 500' });
    expect(shown).toMatchObject({ backlog: 2, failures: 2 });
    await world.sequence();
    const { json: log } = await market.send('GET', '/events/log?types=webhook.paused');
    expect(log.data.data).toMatchObject([
      { aggregateId: made.id, payload: { cause: 'KEEPS_FAILING', url: receiver.url } },
    ]);
    const audited = await market.send('GET', '/audit/logs?action=WEBHOOK_ENDPOINT_PAUSED');
    expect(audited.json.data.data).toMatchObject([
      { resourceId: made.id, result: 'FAILURE', actorType: 'SYSTEM' },
    ]);
    // Nothing is sent while it is paused, whoever asks.
    const before = receiver.received.length;
    expect(await drive(world, market, made.id)).toEqual({ kind: 'over' });
    expect(receiver.received).toHaveLength(before);
    receiver.answer((response) => void response.end());
    await act(made, 'resume');
    await drive(world, market, made.id);
    const sent = eventsOf(receiver.received.slice(before));
    expect(sent.map(({ eventType }) => eventType)).toEqual([
      'user.created',
      'user.created',
      'webhook.paused',
    ]);
    expect(await show(made)).toMatchObject({ status: 'ACTIVE', failures: 0, backlog: 0 });
  });

  it('with 410 is paused at once', async () => {
    const made = await endpointFor();
    await happen(1);
    failFirst(1, 410);
    await drive(world, market, made.id);
    expect(await show(made)).toMatchObject({ status: 'PAUSED' });
  });

  it('holds up no other one', async () => {
    const [slow, quick] = [await endpointFor({ url: `${receiver.url}/slow` }), await endpointFor()];
    await happen(2);
    receiver.answer((response, { url }) => {
      if (!url.endsWith('/slow')) response.end();
    });
    const stopping = new AbortController();
    void drive(world, market, slow.id, stopping.signal);
    await until(async () => receiver.received.length === 1);
    await drive(world, market, quick.id);
    expect(receiver.received.filter(({ url }) => url === '/hook')).toHaveLength(2);
    stopping.abort();
  });
});
