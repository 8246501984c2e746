import { events } from '@holdfast/contract/events';
import { manualClock } from '@holdfast/kernel/clock';
import { type EventId, microsOf } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import pg from 'pg';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { cancelReservations } from '../../accounts/books/cancel-reservations.ts';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { post } from '../../accounts/books/post.ts';
import { reserveBalance } from '../../accounts/books/reserve-balance.ts';
import { spendReserved } from '../../accounts/books/spend-reserved.ts';
import { unreserveBalance } from '../../accounts/books/unreserve-balance.ts';
import { connectionSettings } from '../../platform/database/database.ts';
import { emit } from '../../platform/database/outbox.ts';
import { transact } from '../../platform/database/transact.ts';
import { publish } from '../../testing/sse.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { SHARDS } from './outbox-item.ts';
import { type Leader, newLeader, sequenceBatch } from './sequence-batch.ts';

const ORDER = 'ord_1k08xma8hx9nfnxfjw85ag4b3g4';
const clock = manualClock(Date.now());

const world = useWorld({ clock });

interface LogRow {
  readonly position: number;
  readonly micros: number;
  readonly id: EventId;
  readonly type: keyof typeof events;
  readonly payload: Record<string, unknown>;
}

async function logOf({ call }: Market): Promise<LogRow[]> {
  return world.rows<LogRow>(
    `select position::int, (extract(epoch from occurred_at) * 1000000)::float8 as micros, id,
       event_type as type, payload from event where marketplace_id = $1 order by occurred_at`,
    [call.actor.marketplace],
  );
}

const positionsOf = (log: readonly LogRow[]) => log.map(({ position }) => position);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A leader that stays, as the worker's does between two batches. */
async function openLeader(): Promise<Leader & { client: pg.Client }> {
  const client = new pg.Client(
    connectionSettings(world.app.config, { role: 'holdfast_sequencer' }),
  );
  // A test may end it on purpose.
  client.on('error', () => undefined);
  await client.connect();
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  return { ...newLeader({ client, clock, shards }), client };
}

describe('positions', () => {
  it('have no gap in a marketplace, and do not depend on any other', async () => {
    const [one, other] = [await world.market(), await world.market()];
    await publish(world, one, 3);
    await publish(world, other, 2);
    await publish(world, one, 4);
    await world.sequence();
    await publish(world, other, 1);
    await publish(world, one, 1);
    await world.sequence();
    expect(positionsOf(await logOf(one))).toEqual(upTo(8));
    expect(positionsOf(await logOf(other))).toEqual(upTo(3));
  });

  it('have no gap over many batches of one leader, nor when the next one continues', async () => {
    const market = await world.market();
    await publish(world, market, 25);
    const leader = await openLeader();
    const sequenced: number[] = [];
    while (sequenced.at(-1) !== 0) sequenced.push((await sequenceBatch(leader, 10)).sequenced);
    await leader.client.end();
    // A new marketplace and its key leave an audit row each, which wait too.
    expect(sequenced).toEqual([10, 10, 7, 0]);
    await publish(world, market, 5);
    await world.sequence();
    expect(positionsOf(await logOf(market))).toEqual(upTo(30));
  });

  it('follow commits: a late commit comes after the sequenced events', async () => {
    const market = await world.market();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>();
    const late = transact(world.app, market.call, async (tx) => {
      await emit(tx, 'topup.processing', 'late', { topupId: topup(1), providerPayinId: 'late' });
      hasWritten();
      await held;
    });
    await written;
    await transact(world.app, market.call, (tx) =>
      emit(tx, 'topup.processing', 'early', { topupId: topup(2), providerPayinId: 'early' }),
    );
    await world.sequence();
    expect(await logOf(market)).toMatchObject([{ payload: { providerPayinId: 'early' } }]);
    letGo();
    await late;
    await world.sequence();
    const log = await logOf(market);
    expect(log.map(({ payload }) => payload['providerPayinId'])).toEqual(['early', 'late']);
    expect(positionsOf(log)).toEqual([1, 2]);
  });

  it('are not spent on rolled-back rows', async () => {
    const market = await world.market();
    const undone = transact(world.app, market.call, async (tx) => {
      await emit(tx, 'topup.processing', 'gone', { topupId: topup(3), providerPayinId: 'gone' });
      throw new Error('thought better of it');
    });
    await expect(undone).rejects.toThrow('thought better of it');
    await publish(world, market, 1);
    await world.sequence();
    expect(positionsOf(await logOf(market))).toEqual([1]);
  });
});

function topup(number: number): `topup_${string}` {
  return `topup_${String(number).padStart(26, '0')}`;
}

describe('times', () => {
  it('strictly increase while the clock stands still, and when it goes back', async () => {
    const market = await world.market();
    const start = clock.now() * 1000;
    const timesAfter = async (ms: number) => {
      clock.advance(ms);
      await publish(world, market, 3);
      await world.sequence();
      return (await logOf(market)).slice(-3).map(({ micros }) => micros - start);
    };
    expect(await timesAfter(0)).toEqual([0, 1, 2]);
    expect(await timesAfter(0)).toEqual([3, 4, 5]);
    expect(await timesAfter(-60_000)).toEqual([6, 7, 8]);
    expect(await timesAfter(60_001)).toEqual([1000, 1001, 1002]);
  });

  it('are the start of the ids', async () => {
    const market = await world.market();
    await publish(world, market, 3);
    await world.sequence();
    const log = await logOf(market);
    expect(log.map(({ id }) => id)).toEqual([1, 2, 3].map(() => expect.stringMatching(/^evt_/)));
    expect(log.map(({ id }) => microsOf(id))).toEqual(log.map(({ micros }) => micros));
    expect(new Set(log.map(({ id }) => id.slice(-16))).size).toBe(3);
  });

  it('may lie where no month was created, and lose nothing', async () => {
    const market = await world.market();
    const years = 20 * 365 * 86_400_000;
    clock.advance(years);
    await publish(world, market, 2);
    await world.sequence();
    clock.advance(-years);
    await publish(world, market, 1);
    await world.sequence();
    expect(positionsOf(await logOf(market))).toEqual([1, 2, 3]);
  });
});

it('links audit rows that have no event, and creates no event for them', async () => {
  const market = await world.market();
  await world.sequence();
  expect(await logOf(market)).toEqual([]);
  // The database computes the hashes again.
  const links = await world.rows<{ action: string; link: number; hash: string; holds: boolean }>(
    `select a.action, l.position::int as link, encode(l.hash, 'hex') as hash,
       l.hash = sha256(lag(l.hash, 1, decode(repeat('00', 32), 'hex')) over (order by l.position)
         || convert_to(audit_content(a, null), 'UTF8')) as holds
     from audit_link l join audit a on a.marketplace_id = l.marketplace_id and a.id = l.audit_id
     where l.marketplace_id = $1 order by l.position`,
    [market.call.actor.marketplace],
  );
  expect(links.map(({ action, link, holds }) => [action, link, holds])).toEqual([
    ['MARKETPLACE_CREATED', 1, true],
    ['API_KEY_CREATED', 2, true],
  ]);
  expect(
    await world.rows(
      `select position::int, chain_position::int, encode(chain_hash, 'hex') as chain_hash
       from event_head where marketplace_id = $1`,
      [market.call.actor.marketplace],
    ),
  ).toEqual([{ position: 0, chain_position: 2, chain_hash: links[1]?.hash }]);
});

it('leaves nothing in the outbox', async () => {
  await publish(world, await world.market(), 3);
  await world.sequence();
  expect(await world.rows('select from outbox')).toEqual([]);
});

describe('the payload of a balance event', () => {
  it('has the published shape and both balances, for every kind of posting', async () => {
    const market = await world.market();
    const user = await market.user();
    const { app } = world;
    await creditBalance(app, market.call, user, { amount: '10.00', reference: 'inv "7"\\' });
    await debitBalance(app, market.call, user, { amount: '1.00', reference: 'out' });
    await reserveBalance(app, market.call, user, { amount: '4.00' });
    await unreserveBalance(app, market.call, user, { amount: '1.50', reason: 'näh, "no"\n' });
    await spendReserved(app, market.call, user, { amount: '0.50' });
    await post(app, market.call, {
      kind: 'reserve',
      userId: user,
      amount: Money.read('2.00', 'USD') as Money,
      orderId: ORDER,
    });
    await cancelReservations(app, market.call, user, { orderId: ORDER });
    await creditBalance(app, market.call, user, { amount: '0.01' });
    await world.sequence();
    const [, ...log] = await logOf(market);
    for (const { type, payload } of log) {
      expect([...Compile(events[type].payload as TSchema).Errors(payload)], type).toEqual([]);
    }
    const money = (amount: string) => ({ userId: user, currency: 'USD', amount });
    const available = (before: string, after: string) => ({
      previousAvailableBalance: before,
      newAvailableBalance: after,
    });
    const reserved = (before: string, after: string) => ({
      previousReservedBalance: before,
      newReservedBalance: after,
    });
    // biome-ignore format: a table.
    expect(log.map(({ type, payload }) => [type, payload])).toEqual([
      ['balance.credited', { ...money('10.00'), source: 'credit', sourceId: 'inv "7"\\', ...available('0.00', '10.00') }],
      ['balance.debited', { ...money('1.00'), destination: 'debit', destinationId: 'out', ...available('10.00', '9.00') }],
      ['balance.reserved', { ...money('4.00'), orderId: null, ...reserved('0.00', '4.00'), ...available('9.00', '5.00') }],
      ['balance.released', { ...money('1.50'), orderId: null, reason: 'näh, "no"\n', ...reserved('4.00', '2.50'), ...available('5.00', '6.50') }],
      ['balance.debited', { ...money('0.50'), destination: 'spend', ...available('6.50', '6.50'), ...reserved('2.50', '2.00') }],
      ['balance.reserved', { ...money('2.00'), orderId: ORDER, ...reserved('2.00', '4.00'), ...available('6.50', '4.50') }],
      ['balance.released', { ...money('2.00'), orderId: ORDER, reason: 'released', ...reserved('4.00', '2.00'), ...available('4.50', '6.50') }],
      ['balance.credited', { ...money('0.01'), source: 'credit', ...available('6.50', '6.51') }],
    ]);
  });
});

describe("a head that differs from the leader's", () => {
  it.each(['position', 'chain_position'])('in its %s stops everything', async (column) => {
    const market = await world.market();
    await publish(world, market, 1);
    const leader = await openLeader();
    await sequenceBatch(leader, 100);
    const { marketplace } = market.call.actor;
    const move = (by: number) =>
      world.rows(`update event_head set ${column} = ${column} + $2 where marketplace_id = $1`, [
        marketplace,
        by,
      ]);
    await move(1);
    const everything = () =>
      world.rows(`select (select count(*) from outbox) as waiting,
        (select count(*) from event) as events, (select count(*) from audit_link) as links,
        (select json_agg(h order by marketplace_id) from event_head h) as heads`);
    const other = await world.market();
    await publish(world, market, 2);
    await publish(world, other, 1);
    const before = await everything();
    await expect(sequenceBatch(leader, 100)).rejects.toThrow('another session moved a head');
    expect(await everything()).toEqual(before);
    await move(-1);
    // It reads the heads again, and continues.
    await sequenceBatch(leader, 100);
    await leader.client.end();
    expect(positionsOf(await logOf(market))).toEqual([1, 2, 3]);
    expect(positionsOf(await logOf(other))).toEqual([1]);
  });
});

it('stops only the marketplace of a row that cannot be sequenced', async () => {
  const [bad, good] = [await world.market(), await world.market()];
  await publish(world, bad, 1);
  await publish(world, good, 2);
  // A missing audit row: the chain must not continue over it.
  await world.rows(
    `insert into outbox (marketplace_id, audit_id, actor_id, correlation_id)
     values ($1, 'aud_missing', 'x', 'x')`,
    [bad.call.actor.marketplace],
  );
  const leader = await openLeader();
  await sequenceBatch(leader, 100);
  await publish(world, good, 1);
  await sequenceBatch(leader, 100);
  await leader.client.end();
  expect([...leader.stuck.keys()]).toEqual([bad.call.actor.marketplace]);
  expect(positionsOf(await logOf(bad))).toEqual([]);
  expect(positionsOf(await logOf(good))).toEqual([1, 2, 3]);
  await world.rows('delete from outbox where marketplace_id = $1', [bad.call.actor.marketplace]);
});
