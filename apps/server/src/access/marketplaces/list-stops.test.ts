import { expect, it } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { read, transact } from '../../platform/database/transact.ts';
import { stopCalls } from '../../testing/stops.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';

const world = useWorld();
const { stop, lift, stopsOf } = stopCalls(world);

it('shows what stands, and at most twenty that were lifted', async () => {
  const market = await world.market();
  for (let round = 0; round < 21; round += 1) {
    await stop(market, 'PAYOUTS');
    await lift(market, 'PAYOUTS');
  }
  await stop(market, 'SIGNING');
  const { standing, lifted } = await stopsOf(market);
  expect([standing.map(({ level }) => level), lifted.length]).toEqual([['SIGNING'], 20]);
});

it('shows a marketplace its own stops only, by row-level security', async () => {
  const [market, other] = [await world.market(), await world.market()];
  await stop(market, 'MONEY');
  const seenBy = (one: Market) =>
    read(world.app, one.call, (tx) => tx.query(sql`select level from marketplace_stop`));
  expect([await seenBy(market), await seenBy(other)]).toEqual([[{ level: 'MONEY' }], []]);
  const write = transact(world.app, other.call, (tx) =>
    tx.query(sql`
        insert into marketplace_stop (marketplace_id, level, reason, stopped_by, since)
        values (${market.call.actor.marketplace}, 'MONEY', 'x', 'x', now())`),
  );
  await expect(write).rejects.toThrow(/row-level security/);
});
