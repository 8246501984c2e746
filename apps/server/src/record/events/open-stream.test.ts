import { randomUUID } from 'node:crypto';
import { manualClock, microsText } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueToken } from '../../access/keys/issue-token.ts';
import { revokeApiKey } from '../../access/keys/revoke-api-key.ts';
import { rotateApiKey } from '../../access/keys/rotate-api-key.ts';
import type { Call, Caller } from '../../platform/call.ts';
import {
  listen,
  numbersOf,
  openSse,
  publishSequenced,
  type SseOptions,
} from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import { type Market, masterCall } from '../../testing/world.ts';
import { openStream } from './open-stream.ts';

const clock = manualClock(Date.now());
const SOON_MS = 3000;
const INVALID = { status: 400, code: 'VALIDATION_ERROR' };
const AN_HOUR_AGO = `since=${microsText((clock.now() - 3_600_000) * 1000)}`;

const world = useWorld({ clock, env: { HOLDFAST_STREAMS_MAX: '12' } });
let base: string;
beforeAll(async () => {
  base = await listen(world);
});

const opened: { close(): void }[] = [];
async function open(options: SseOptions) {
  const reader = await openSse(base, options);
  opened.push(reader);
  return reader;
}
afterEach(async () => {
  for (const reader of opened.splice(0)) reader.close();
  await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(0));
});

const MASTER: Call<Caller> = masterCall();

async function refusalOf(options: SseOptions) {
  const { status, text, headers } = await open(options);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  return { status, retryAfter: headers['retry-after'], ...JSON.parse(text).error };
}

/** Each gets its numbers of the past, and the news that follows: nothing between, nothing more. */
async function expectNumbers(
  market: Market,
  news: number,
  cases: readonly [SseOptions, readonly number[]][],
): Promise<void> {
  const readers = await Promise.all(cases.map(([options]) => open(options)));
  await publishSequenced(world, market, 1, news);
  for (const [at, reader] of readers.entries()) {
    const numbers = [...(cases[at]?.[1] ?? []), news];
    await eventually(SOON_MS, () => expect(numbersOf(reader.events)).toEqual(numbers));
  }
}

describe('a message', () => {
  it('has its time, its type and the envelope, byte for byte', async () => {
    const market = await world.market();
    const externalUserId = 'a\nb\r\n\tdata: "x"\\ \u2028 é 😀';
    const headers = { 'x-request-id': randomUUID() };
    const { json } = await market.send('POST', '/users', { body: { externalUserId }, headers });
    await world.sequence();
    const [row] = await world.rows<{ id: string; at: string }>(
      `select id, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
       from event where marketplace_id = $1`,
      [market.call.actor.marketplace],
    );
    const userId = json.data.data.id as string;
    const payload = { userId, externalUserId, type: 'BOTH', status: 'ACTIVE' };
    const reader = await open({ key: market.key, query: `?${AN_HOUR_AGO}` });
    await eventually(SOON_MS, () => expect(reader.text).not.toBe(''));
    expect(reader.opening).toBe('retry: 1000\n\n');
    expect(reader.text).toBe(
      `id: ${row?.at}\nevent: user.created\ndata: {"eventId":"${row?.id}",` +
        `"eventType":"user.created","occurredAt":"${row?.at}","aggregateId":"${userId}",` +
        `"aggregateType":"User","payload":${JSON.stringify(payload)},"metadata":` +
        `{"correlationId":"${headers['x-request-id']}","userId":"${userId}",` +
        `"marketplaceId":"${market.id}"}}\n\n`,
    );
    expect(reader.events[0]?.payload).toEqual(payload);
  });

  it('comes with the headers of a stream, and of every response', async () => {
    const { key } = await world.market();
    const requestId = randomUUID();
    const { status, headers } = await open({ key, headers: { 'x-request-id': requestId } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
      'x-request-id': requestId,
      'x-ratelimit-limit': '100000',
      'x-ratelimit-remaining': '99999',
      'x-ratelimit-reset': String(Math.ceil(clock.now() / 1000) + 60),
    });
    expect(headers).not.toHaveProperty('content-length');
  });
});

describe('a filter', () => {
  const CAUSED = ['user.created', 'balance.credited', 'balance.reserved', 'balance.released'];
  let market: Market;
  beforeAll(async () => {
    market = await world.market();
    await cause();
  });

  async function cause(): Promise<void> {
    const user = await market.user();
    for (const path of ['credit', 'reserve', 'release'])
      await market.send('POST', `/users/${user}/balance/${path}`, { body: { amount: '1.00' } });
    await world.sequence();
  }

  it('applies to the past and to news', async () => {
    const cases: [string, readonly string[]][] = [
      ['', CAUSED],
      ['types=user.created', ['user.created']],
      ['types=balance.reserved&types=user.created', ['user.created', 'balance.reserved']],
      ['resources=Balance', CAUSED.slice(1)],
      ['resources=User&resources=Balance', CAUSED],
      ['types=balance.credited&types=user.created&resources=Balance', ['balance.credited']],
      ['types=user.created&resources=Balance', []],
      ['resources=Order', []],
    ];
    const readers = await Promise.all(
      cases.map(([query]) => open({ key: market.key, query: `?${AN_HOUR_AGO}&${query}` })),
    );
    await cause();
    const typesAt = (at: number) => readers[at]?.messages.map(({ event }) => event);
    // The first has no filter: when it has all, the others would have theirs too.
    await eventually(SOON_MS, () => expect(typesAt(0)).toEqual([...CAUSED, ...CAUSED]));
    for (const [at, [query, types]] of cases.entries())
      expect(typesAt(at), query).toEqual([...types, ...types]);
  });

  // biome-ignore format: a table.
  it.each([
    'types=', 'types=*', 'types=order.*', 'types=user.created&types=order.*',
    'types=user.exploded', 'types=User.Created', 'types=user.created,balance.credited',
    'resources=*', 'resources=user', 'resources=Order,Balance', 'limit=5',
    'since=', 'since=yesterday', 'since=evt_00000000000000000000000000',
    'since=2026-01-01T00:00:00Z&since=2026-01-02T00:00:00Z',
  ])('of %j is refused', async (query) => {
    expect(await refusalOf({ key: market.key, query: `?${query}` })).toMatchObject(INVALID);
  });
});

describe('a cursor', () => {
  let market: Market;
  let times: string[];
  let ids: string[];
  beforeEach(async () => {
    market = await world.market();
    await publishSequenced(world, market, 4);
    const { json } = await market.send('GET', '/events/log');
    times = json.data.data.map((event: { occurredAt: string }) => event.occurredAt);
    ids = json.data.data.map((event: { eventId: string }) => event.eventId);
  });
  const lastEventId = (cursor: string | undefined) => ({ 'last-event-id': cursor ?? '' });

  it('may be a time or an id; the event it names is not sent again', async () => {
    const { key } = market;
    await expectNumbers(market, 5, [
      [{ key, query: `?since=${times[0]}` }, [2, 3, 4]],
      [{ key, headers: lastEventId(times[1]) }, [3, 4]],
      [{ key, headers: lastEventId(ids[2]) }, [4]],
      [{ key, headers: lastEventId(times[3]) }, []],
      [{ key }, []],
    ]);
  });

  it('in the header overrides the one in the query, unless it is empty', async () => {
    const { key } = market;
    const query = `?since=${times[0]}`;
    await expectNumbers(market, 5, [
      [{ key, query, headers: lastEventId(ids[2]) }, [4]],
      [{ key, query, headers: lastEventId('') }, [2, 3, 4]],
      [{ key, headers: lastEventId('') }, []],
    ]);
    expect(await refusalOf({ key, query, headers: lastEventId('garbage') })).toMatchObject({
      ...INVALID,
      details: { validationErrors: ['cursor is invalid: garbage is not a time or an event id'] },
    });
  });

  it('gets a reset when past retention, then all retained events, under any filter', async () => {
    const retainedSince = microsText((clock.now() - 30 * 86_400_000) * 1000);
    const resetText =
      'event: stream.reset\ndata: {"reset":true,"reason":"cursor is past retention; ' +
      `events after it may be missing","cursor":"2020-01-01","retainedSince":"${retainedSince}"}\n\n`;
    const all = await open({ key: market.key, headers: lastEventId('2020-01-01') });
    await eventually(SOON_MS, () => expect(all.messages.length).toBe(5));
    expect(all.text.startsWith(`${resetText}id: ${times[0]}\n`)).toBe(true);
    const none = await open({ key: market.key, query: '?since=2020-01-01&types=order.created' });
    await eventually(SOON_MS, () => expect(none.text).toBe(resetText));
  });
});

describe('the marketplace of a stream', () => {
  it('is that of the key, also when the query names it', async () => {
    const [market, otherMarket] = [await world.market(), await world.market()];
    await publishSequenced(world, market, 2);
    const { key } = market;
    await expectNumbers(market, 3, [
      [{ key, query: `?${AN_HOUR_AGO}` }, [1, 2]],
      [{ key, query: `?${AN_HOUR_AGO}&marketplaceId=${market.id}` }, [1, 2]],
      [{ key, query: `?${AN_HOUR_AGO}&marketplace_id=${market.id}` }, [1, 2]],
    ]);
    for (const id of [otherMarket.id, newId('mkt', Date.now())])
      expect(await refusalOf({ key, query: `?marketplaceId=${id}` })).toMatchObject({
        status: 404,
        code: 'MARKETPLACE_NOT_FOUND',
        details: { marketplaceId: id },
      });
  });

  it('is the one that the master key names; it must name one', async () => {
    const market = await world.market();
    const key = world.masterKey;
    await expectNumbers(market, 1, [[{ key, query: `?marketplaceId=${market.id}` }, []]]);
    expect(await refusalOf({ key, query: `?${AN_HOUR_AGO}` })).toMatchObject({
      ...INVALID,
      details: { validationErrors: ['marketplaceId is required'] },
    });
    const query = `?marketplaceId=${newId('mkt', Date.now())}`;
    expect(await refusalOf({ key, query })).toMatchObject({ code: 'MARKETPLACE_NOT_FOUND' });
    // Where a marketplace is built in, the master key uses that one.
    const config = { ...world.app.config, HOLDFAST_SURFACE_B_MARKETPLACE: market.id };
    expect(await openStream({ ...world.app, config }, MASTER, {})).toBeTypeOf('function');
  });
});

describe('connection limits', () => {
  const LIMITED = { status: 429, code: 'RATE_LIMITED', retryAfter: '1' };
  const tokenOf = async ({ call, keyId }: Market, ttlSeconds = 600) =>
    (await issueToken(world.app, call, keyId, { ttlSeconds })).token;

  it('are ten for a key with its tokens; each key of a marketplace has its own', async () => {
    const market = await world.market();
    const other = await world.market({ marketplaceId: market.id });
    const token = await tokenOf(market);
    const readers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => open({ key: at % 2 ? token : market.key })),
    );
    for (const key of [market.key, token]) expect(await refusalOf({ key })).toMatchObject(LIMITED);
    expect((await open({ key: other.key })).status).toBe(200);
    readers[3]?.close();
    await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(10));
    expect((await open({ key: token })).status).toBe(200);
  });

  it('of the process bind the master key too', async () => {
    const market = await world.market();
    const query = `?marketplaceId=${market.id}`;
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        open({ key: at % 2 ? market.key : world.masterKey, query }),
      ),
    );
    expect(await refusalOf({ key: world.masterKey, query })).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: '1',
    });
  });

  it('end within two seconds with the key, for its tokens too', async () => {
    const market = await world.market();
    const other = await world.market({ marketplaceId: market.id });
    const keys = [market.key, await tokenOf(market), other.key, await tokenOf(other)];
    const readers = await Promise.all(keys.map((key) => open({ key })));
    await revokeApiKey(world.app, MASTER, market.keyId);
    const isOver = () => readers.map((reader) => reader.isOver);
    await eventually(2000, () => expect(isOver()).toEqual([true, true, false, false]));
  });

  it('end with the time of the token, and of the key', async () => {
    const [market, rotated] = [await world.market(), await world.market()];
    await rotateApiKey(world.app, MASTER, rotated.keyId, { overlapSeconds: 60 });
    const keys = [market.key, await tokenOf(market, 60), await tokenOf(market), rotated.key];
    const readers = await Promise.all(keys.map((key) => open({ key })));
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    clock.advance(60_000);
    const isOver = () => readers.map((reader) => reader.isOver);
    await eventually(2000, () => expect(isOver()).toEqual([false, true, false, true]));
  });
});
