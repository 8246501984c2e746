import type { EventEnvelope } from '@holdfast/contract/events';
import { manualClock, microsText } from '@holdfast/kernel/clock';
import { idAt } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import {
  listen,
  numbersOf,
  openSse,
  publish,
  publishNewer,
  publishSequenced,
  upTo,
} from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';

const DAY_MS = 86_400_000;
const clock = manualClock(Date.now());

const world = useWorld({ clock });

async function marketWith(count: number): Promise<Market> {
  const market = await world.market();
  await publishSequenced(world, market, count);
  return market;
}

interface LogPage {
  readonly numbers: readonly number[];
  readonly events: readonly EventEnvelope[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

async function list(market: Market, query = ''): Promise<LogPage> {
  const { status, text, json } = await market.send('GET', `/events/log?${query}`);
  expect(status, text).toBe(200);
  const { data: events, hasMore, nextCursor } = json.data;
  return { numbers: numbersOf(events), events, hasMore, nextCursor };
}

async function refusalOf(market: Market, query: string) {
  const { status, json } = await market.send('GET', `/events/log?${query}`);
  return { status, ...json.error };
}

describe('pages', () => {
  it('have twenty events by default, oldest first, and continue where they end', async () => {
    const market = await marketWith(45);
    const first = await list(market);
    expect(first).toMatchObject({ numbers: upTo(20), hasMore: true });
    const second = await list(market, `after=${first.nextCursor}&limit=24`);
    expect(second).toMatchObject({ numbers: upTo(24, 21), hasMore: true });
    const third = await list(market, `after=${second.nextCursor}&limit=100`);
    expect(third).toMatchObject({ numbers: [45], hasMore: false });
    for (const page of [first, second, third])
      expect(page.nextCursor).toBe(page.events.at(-1)?.occurredAt);
  });

  it('have no next page when they are just full', async () => {
    const market = await marketWith(3);
    expect(await list(market, 'limit=3')).toMatchObject({ numbers: upTo(3), hasMore: false });
    expect(await list(market, 'limit=2')).toMatchObject({ numbers: upTo(2), hasMore: true });
  });

  it('return at the end of the log a cursor that finds the next events', async () => {
    const market = await marketWith(2);
    const { nextCursor } = await list(market);
    for (let round = 0; round < 2; round += 1)
      expect(await list(market, `after=${nextCursor}`)).toMatchObject({
        numbers: [],
        hasMore: false,
        nextCursor,
      });
    await publishSequenced(world, market, 1, 3);
    expect((await list(market, `after=${nextCursor}`)).numbers).toEqual([3]);
  });

  it('are empty for an empty log, and lose none of the later events', async () => {
    const market = await world.market();
    expect(await list(market)).toMatchObject({ numbers: [], hasMore: false, nextCursor: null });
    const after = microsText((clock.now() - DAY_MS) * 1000);
    expect(await list(market, `after=${after}`)).toMatchObject({ nextCursor: after });
    await publishSequenced(world, market, 1);
    expect((await list(market, `after=${after}`)).numbers).toEqual([1]);
  });

  it.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=x', 'cursor=x', 'types=order.*', 'after='])(
    'with %s are refused',
    async (query) => {
      const refusal = await refusalOf(await world.market(), query);
      expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );
});

describe('a cursor', () => {
  it('is a time or an id', async () => {
    const market = await marketWith(3);
    const { events } = await list(market);
    for (const after of [events[0]?.occurredAt, events[0]?.eventId])
      expect((await list(market, `after=${after}`)).numbers).toEqual([2, 3]);
    const anHourAgo = new Date(clock.now() - 3_600_000).toISOString();
    expect((await list(market, `after=${anHourAgo}`)).numbers).toEqual([1, 2, 3]);
    const eastern = encodeURIComponent(events[1]?.occurredAt.replace('Z', '+00:00') ?? '');
    expect((await list(market, `after=${eastern}`)).numbers).toEqual([3]);
  });

  it('is refused when it names nothing here', async () => {
    const [market, otherMarket] = [await marketWith(1), await marketWith(1)];
    const { events } = await list(otherMarket);
    for (const after of ['nonsense', events[0]?.eventId, idAt('evt', clock.now() * 1000)])
      expect(await refusalOf(market, `after=${after}`)).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
      });
  });

  it('is 410 when past retention, and returns where to continue', async () => {
    const market = await marketWith(1);
    const retainedSince = microsText((clock.now() - 30 * DAY_MS) * 1000);
    for (const after of [
      '2020-01-01',
      idAt('evt', 1),
      microsText((clock.now() - 30 * DAY_MS) * 1000 - 1),
    ]) {
      const refusal = await refusalOf(market, `after=${after}`);
      expect(refusal).toMatchObject({
        status: 410,
        code: 'CURSOR_EXPIRED',
        details: { retainedSince },
      });
    }
    expect((await list(market, `after=${retainedSince}`)).numbers).toEqual([1]);
    // Without a cursor the list starts at the retention limit.
    expect((await list(market)).numbers).toEqual([1]);
    clock.advance(30 * DAY_MS + 1);
    expect((await list(market)).numbers).toEqual([]);
    clock.advance(-30 * DAY_MS - 1);
  });

  it.each([0, 2])('skips no later event when it is in the future, after %i', async (count) => {
    const market = await marketWith(count);
    const ahead = await list(market, 'after=2999-01-01');
    expect(ahead).toMatchObject({ numbers: [], hasMore: false });
    await publishSequenced(world, market, 2, count + 1);
    const next = await list(market, ahead.nextCursor === null ? '' : `after=${ahead.nextCursor}`);
    expect(next.numbers).toEqual([count + 1, count + 2]);
  });

  it('ahead of a log that has been quiet for long is not past retention', async () => {
    const market = await marketWith(1);
    clock.advance(31 * DAY_MS);
    const { nextCursor } = await list(market, 'after=2999-01-01');
    clock.advance(-31 * DAY_MS);
    expect(nextCursor).toBeNull();
  });
});

describe('a filter', () => {
  it('passes types and resources, and both together', async () => {
    const market = await world.market();
    const user = await market.user();
    for (const path of ['credit', 'reserve', 'release'])
      await market.send('POST', `/users/${user}/balance/${path}`, { body: { amount: '1.00' } });
    await world.sequence();
    const typesOf = async (query: string) =>
      (await list(market, query)).events.map(({ eventType }) => eventType);
    const balance = ['balance.credited', 'balance.reserved', 'balance.released'];
    expect(await typesOf('')).toEqual(['user.created', ...balance]);
    expect(await typesOf('types=user.created')).toEqual(['user.created']);
    expect(await typesOf('types=balance.released&types=user.created')).toEqual([
      'user.created',
      'balance.released',
    ]);
    expect(await typesOf('resources=Balance')).toEqual(balance);
    expect(await typesOf('resources=Balance&limit=2')).toEqual(balance.slice(0, 2));
    expect(await typesOf('resources=Balance&types=user.created&types=balance.credited')).toEqual([
      'balance.credited',
    ]);
    expect(await typesOf('resources=User&types=balance.credited')).toEqual([]);
    await publishNewer(world, market, 'balance.taxed');
    expect(await typesOf('resources=Balance')).toEqual([...balance, 'balance.taxed']);
    expect(await typesOf('resources=User')).toEqual(['user.created']);
  });

  it('pages through the events that pass', async () => {
    const market = await world.market();
    const user = await market.user();
    for (let round = 0; round < 3; round += 1) {
      await market.send('POST', `/users/${user}/balance/credit`, { body: { amount: '1.00' } });
      await publish(world, market, 2);
    }
    await world.sequence();
    const seen: unknown[] = [];
    let page = await list(market, 'types=balance.credited&limit=2');
    expect([page.events.length, page.hasMore]).toEqual([2, true]);
    seen.push(...page.events);
    page = await list(market, `types=balance.credited&limit=2&after=${page.nextCursor}`);
    expect([page.events.length, page.hasMore]).toEqual([1, false]);
    seen.push(...page.events);
    expect(seen).toEqual((await list(market, 'types=balance.credited')).events);
  });

  it('still moves on when nothing passes for long', async () => {
    const market = await marketWith(5200);
    await market.send('POST', `/users/${await market.user()}/balance/credit`, {
      body: { amount: '1.00' },
    });
    await world.sequence();
    const first = await list(market, 'resources=Balance');
    expect(first).toMatchObject({ events: [], hasMore: true });
    const [scanned] = await world.rows<{ position: number }>(
      'select position::int from event where marketplace_id = $1 and occurred_at = $2',
      [market.call.actor.marketplace, first.nextCursor],
    );
    expect(scanned?.position).toBe(5000);
    const second = await list(market, `resources=Balance&after=${first.nextCursor}`);
    expect(second).toMatchObject({ events: [{ eventType: 'balance.credited' }], hasMore: false });
  });
});

it('returns events exactly as the stream does', async () => {
  const market = await marketWith(2);
  await market.send('POST', `/users/${await market.user()}/balance/credit`, {
    body: { amount: '1.00', reference: 'é "quoted"\n' },
  });
  await world.sequence();
  const since = `?since=${microsText((clock.now() - DAY_MS) * 1000)}`;
  const reader = await openSse(await listen(world), { key: market.key, query: since });
  await eventually(3000, () => expect(reader.messages.length).toBe(4));
  expect((await list(market)).events).toEqual(reader.events);
  reader.close();
});

it("is the log of the key's marketplace, even when the query names another", async () => {
  const [market, otherMarket] = [await marketWith(1), await marketWith(3)];
  expect((await list(market)).numbers).toEqual([1]);
  expect((await list(otherMarket)).numbers).toEqual([1, 2, 3]);
  for (const { id } of [market, otherMarket])
    expect(await refusalOf(market, `marketplaceId=${id}`)).toMatchObject({ status: 400 });
  // The master key has no log here; only on the stream it names one.
  const asMaster = await world.send('GET', '/events/log', { key: world.masterKey });
  expect(asMaster.status).toBe(401);
});
