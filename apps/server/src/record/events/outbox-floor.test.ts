import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@holdfast/kernel/random';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionSettings } from '../../platform/database/database.ts';
import { useMarket } from '../../testing/use-world.ts';
import { OutboxFloor } from './outbox-floor.ts';
import { SHARDS } from './outbox-item.ts';
import { type Leader, newLeader, sequenceBatch } from './sequence-batch.ts';

const { world, market } = useMarket();
let leader: Leader & { client: pg.Client };
beforeAll(async () => {
  const client = new pg.Client(
    connectionSettings(world.app.config, { role: 'holdfast_sequencer' }),
  );
  await client.connect();
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  const base = newLeader({ client, clock: world.app.clock, shards });
  // The leader checks before every batch, so that a floor that is too high would soon lose events.
  leader = { ...base, client, floor: new OutboxFloor(0) };
});
afterAll(async () => {
  await leader.client.end();
});

async function writer(): Promise<pg.Client> {
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  return client;
}

async function write(client: pg.Client, mark: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
     values ($1, 'user.created', $2, '{}', 'x', 'x') returning id`,
    [market.call.actor.marketplace, mark],
  );
  return rows[0]?.id as string;
}

const logged = async () =>
  (await world.rows<{ mark: string }>('select aggregate_id as mark from event')).map((r) => r.mark);

it('stays below the numbers of an open transaction, and rises after it', async () => {
  const [slow, quick] = [await writer(), await writer()];
  await slow.query('begin');
  const low = BigInt(await write(slow, 'slow'));
  for (let count = 0; count < 20; count += 1) {
    await write(quick, `quick ${count}`);
    await sequenceBatch(leader, 100);
  }
  expect(BigInt(leader.floor.number)).toBeLessThan(low);
  await slow.query('commit');
  await sequenceBatch(leader, 100);
  expect(await logged()).toContain('slow');
  for (let count = 0; count < 4; count += 1) await sequenceBatch(leader, 100);
  expect(BigInt(leader.floor.number)).toBeGreaterThan(low);
  await Promise.all([slow.end(), quick.end()]);
});

it('loses no event of writers that commit in any order, or not at all', async () => {
  const random = seededRandom(7);
  const byte = new Uint8Array(1);
  const draw = (below: number) => {
    random.fill(byte);
    return (byte[0] as number) % below;
  };
  const committed: string[] = [];
  let isWriting = true;
  const writers = Array.from({ length: 8 }, async (_, number) => {
    const client = await writer();
    for (let count = 0; count < 40; count += 1) {
      const mark = `writer ${number} ${count}`;
      await client.query('begin');
      await write(client, mark);
      await sleep(draw(20));
      const isCommitted = draw(10) > 0;
      await client.query(isCommitted ? 'commit' : 'rollback');
      if (isCommitted) committed.push(mark);
    }
    await client.end();
  });
  const reading = (async () => {
    // Small batches: the floor must also be right when a batch does not hold all rows.
    while (isWriting) await sequenceBatch(leader, 3);
    while ((await sequenceBatch(leader, 3)).sequenced > 0);
  })();
  await Promise.all(writers);
  isWriting = false;
  await reading;
  const marks = (await logged()).filter((mark) => mark.startsWith('writer'));
  expect(marks.sort()).toEqual(committed.sort());
  expect(BigInt(leader.floor.number)).toBeGreaterThan(0n);
});
