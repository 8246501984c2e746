import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { startWatch } from '../../../../cli/src/testing/machine-time.ts';
import { connectionSettings } from '../../platform/database/database.ts';
import { publish } from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { postgresNotifier } from './notifier.ts';
import { SHARDS } from './outbox-item.ts';
import { runSequencer, SEQUENCER_SESSION } from './sequencer.ts';

/** How long the loss of a leader may interrupt sequencing. */
const TAKEN_OVER_MS = 3000;

const world = useWorld();

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sequencer) => sequencer.stop()));
});

/** As the worker wires it. */
const settings = () =>
  connectionSettings(world.app.config, { role: 'holdfast_sequencer', session: SEQUENCER_SESSION });

function start(shardsMax = SHARDS, log = world.app.log): { stop(): Promise<void> } {
  const { clock } = world.app;
  const sequencer = runSequencer({
    connection: settings(),
    clock,
    log,
    notifier: postgresNotifier(),
    shardsMax,
  });
  running.push(sequencer);
  return sequencer;
}

interface Lock {
  readonly pid: number;
  readonly class: string;
  readonly shard: number;
}

/** Which session leads which shard. */
function locks(): Promise<Lock[]> {
  return world.rows<Lock>(
    `select pid, classid::text as class, objid::int as shard from pg_locks
     where locktype = 'advisory' and objsubid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())
     order by shard`,
  );
}

/** One number per session that leads: how many shards it has. */
async function shares(): Promise<number[]> {
  const held = Map.groupBy(await locks(), ({ pid }) => pid);
  return [...held.values()].map((one) => one.length).sort((one, other) => one - other);
}

const expectShares = (...counts: number[]) =>
  eventually(TAKEN_OVER_MS, async () => expect(await shares()).toEqual(counts));

/** Two that start at the same moment may share, so a sole leader starts alone. */
async function startLeader(): Promise<{ stop(): Promise<void> }> {
  const leader = start();
  await expectShares(SHARDS);
  return leader;
}

const sessionNames = () =>
  world.rows<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'holdfast sequencer%'`,
  );

async function leaderPid(): Promise<number> {
  return (await locks())[0]?.pid ?? 0;
}

/** Numbers in the order of the log are its positions too, if nothing is lost or doubled. */
async function expectLog({ call }: Market, count: number, timeout: number): Promise<void> {
  const sequenced = () =>
    world.rows<{ position: number; number: number }>(
      `select position::int, (payload->>'externalUserId')::int as number from event
       where marketplace_id = $1 order by occurred_at`,
      [call.actor.marketplace],
    );
  await eventually(timeout, async () =>
    expect((await sequenced()).length).toBeGreaterThanOrEqual(count),
  );
  const upTo = Array.from({ length: count }, (_, at) => at + 1);
  const log = await sequenced();
  expect(log.map(({ position }) => position)).toEqual(upTo);
  expect(log.map(({ number }) => number)).toEqual(upTo);
}

async function oneOfEachShard(): Promise<Market[]> {
  const markets = new Map<number, Market>();
  while (markets.size < SHARDS) {
    const market = await world.market();
    markets.set(Number(market.call.actor.marketplace) % SHARDS, market);
  }
  return [...markets.values()];
}

describe('two sequencers', () => {
  it('have one leader, and lose and double nothing between them', async () => {
    await startLeader();
    start();
    const markets = await Promise.all([1, 2, 3].map(() => world.market()));
    for (let last = 0; last < 500; last += 50)
      await Promise.all(markets.map((market) => publish(world, market, 50, last + 1)));
    for (const market of markets) await expectLog(market, 500, 5000);
    expect(await shares()).toEqual([SHARDS]);
  });

  it('continue with one when the leader is stopped', async () => {
    const leader = await startLeader();
    const first = await leaderPid();
    start();
    const market = await world.market();
    await publish(world, market, 1);
    await expectLog(market, 1, TAKEN_OVER_MS);
    await leader.stop();
    await publish(world, market, 1, 2);
    await expectLog(market, 2, TAKEN_OVER_MS);
    expect(await leaderPid()).not.toBe(first);
  });

  it("swap roles when the leader's session is ended in the middle of its work", async () => {
    await startLeader();
    start();
    const market = await world.market();
    let [last, isOver] = [0, false];
    const writing = (async () => {
      for (; !isOver; last += 20) {
        await publish(world, market, 20, last + 1);
        await sleep(4);
      }
    })();
    const leaders = new Set<number>();
    const deadline = performance.now() + TAKEN_OVER_MS;
    while (leaders.size < 2 && performance.now() < deadline) {
      await sleep(250);
      const [leader] = await locks();
      if (leader !== undefined) leaders.add(leader.pid);
      await world.rows('select pg_terminate_backend($1)', [leader?.pid]);
    }
    isOver = true;
    await writing;
    await expectLog(market, last, TAKEN_OVER_MS);
    expect(leaders.size).toBe(2);
    await eventually(TAKEN_OVER_MS, async () => expect((await locks()).length).toBe(SHARDS));
  });

  it('share the shards, and each marketplace has one of them', async () => {
    start(SHARDS / 2);
    start(SHARDS / 2);
    await expectShares(SHARDS / 2, SHARDS / 2);
    const markets = await oneOfEachShard();
    for (const market of markets) await publish(world, market, 10);
    for (const market of markets) await expectLog(market, 10, TAKEN_OVER_MS);
  });

  it('leave none to a third, until one of them stops', async () => {
    start(5);
    await expectShares(5);
    const second = start(5);
    await expectShares(3, 5);
    start();
    await sleep(400);
    expect((await shares()).length).toBe(2);
    await second.stop();
    await eventually(TAKEN_OVER_MS, async () => expect((await locks()).length).toBe(SHARDS));
    expect((await shares()).length).toBe(2);
  });
});

/** A session like a leader's, with locks of its own, which is silent afterwards. */
async function freeze(of: readonly Lock[], lastWords: string): Promise<pg.Client> {
  const client = new pg.Client(settings());
  client.on('error', () => undefined);
  await client.connect();
  for (const { class: one, shard } of of)
    await client.query('select pg_advisory_lock($1, $2)', [one, shard]);
  await client.query(lastWords);
  return client;
}

it('takes over from leaders that are frozen, between two batches or in the middle of one', async () => {
  const sequencer = await startLeader();
  const held = await locks();
  await sequencer.stop();
  const markets = await oneOfEachShard();
  for (const market of markets) await publish(world, market, 5);
  const half = SHARDS / 2;
  const frozen = [
    await freeze(held.slice(0, half), 'select 1'),
    await freeze(
      held.slice(half),
      `begin; delete from outbox where marketplace_id % ${SHARDS} >= ${half}`,
    ),
  ];
  expect(await shares()).toEqual([half, half]);
  const ran = await startWatch();
  start();
  for (const market of markets) await expectLog(market, 5, TAKEN_OVER_MS);
  expect(ran()).toBeLessThan(TAKEN_OVER_MS);
  // When they wake they cannot write: lock, session and transaction ended together.
  for (const client of frozen) await expect(client.query('commit')).rejects.toThrow();
  for (const market of markets) await publish(world, market, 1, 6);
  for (const market of markets) await expectLog(market, 6, TAKEN_OVER_MS);
});

describe('stopping', () => {
  it('takes no time, whether it leads, waits to lead, or has just started', async () => {
    const leader = await startLeader();
    const waiting = start();
    await eventually(1000, async () => expect((await sessionNames()).length).toBe(2));
    const starting = start();
    for (const sequencer of [starting, waiting, leader]) {
      const ran = await startWatch();
      await sequencer.stop();
      expect(ran()).toBeLessThan(1000);
    }
    expect(await locks()).toEqual([]);
  });

  it('leaves its unfinished rows to the next', async () => {
    const market = await world.market();
    await publish(world, market, 3000);
    const sequencer = await startLeader();
    await sequencer.stop();
    const [left] = await world.rows<{ sequenced: number; waiting: number }>(
      `select (select count(*)::int from event where marketplace_id = $1) as sequenced,
         (select count(*)::int from outbox where marketplace_id = $1 and event_type is not null)
           as waiting`,
      [market.call.actor.marketplace],
    );
    expect((left?.sequenced ?? 0) + (left?.waiting ?? 0)).toBe(3000);
    start();
    await expectLog(market, 3000, TAKEN_OVER_MS);
  });
});

describe('its session', () => {
  it('has a name that identifies it', async () => {
    await startLeader();
    expect(await sessionNames()).toEqual([{ name: `holdfast sequencer ${process.pid}` }]);
  });

  it('is not opened by a worker that is to lead nothing', async () => {
    const sequencer = start(0);
    await sleep(200);
    expect(await sessionNames()).toEqual([]);
    await sequencer.stop();
  });
});

it('logs the marketplace whose events cannot be sequenced, by its public id', async () => {
  const lines: unknown[] = [];
  const error = (...line: unknown[]) => lines.push(line);
  const market = await world.market();
  await world.rows(
    `insert into outbox (marketplace_id, audit_id, actor_id, correlation_id)
     values ($1, 'aud_missing', 'x', 'x')`,
    [market.call.actor.marketplace],
  );
  start(SHARDS, Object.assign(Object.create(world.app.log), { error }));
  const fields = { marketplaceId: market.id, err: expect.any(Error) };
  await eventually(20_000, () => expect(lines).toEqual([[fields, 'event sequencing failed']]));
  await world.rows('delete from outbox where marketplace_id = $1', [market.call.actor.marketplace]);
}, 30_000);
