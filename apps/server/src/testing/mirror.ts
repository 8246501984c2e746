//! Runs the mirror in the test's own process, without waiting for due times.
import { consumeBalanceEvents } from '../payments/mirror/consume-balance-events.ts';
import { mirrorWallets } from '../payments/mirror/mirror-wallets.ts';
import type { Mirrorer } from '../payments/mirror/mirrorer.ts';
import type { Market, World } from './world.ts';

const ROUNDS_MAX = 6;

/** Runs until no user is due, of the marketplace or of any; returns how many still are. */
export async function runMirror(world: World, app: Mirrorer, market?: Market): Promise<number> {
  await world.sequence();
  for (let round = 0; round < ROUNDS_MAX && (await waiting(world, market)) > 0; round += 1) {
    await world.rows(`update mirror_backoff set next_poll_at = 'epoch'`);
    await world.rows(`update mirror_batch set next_try_at = 'epoch' where status = 'OPEN'`);
    await consumeBalanceEvents(app);
    await mirrorWallets(app);
  }
  return waiting(world, market);
}

async function waiting(world: World, market: Market | undefined): Promise<number> {
  const [row] = await world.rows<{ n: number }>(
    `select coalesce(sum((select count(distinct user_id) from mirror_queue d
         where d.marketplace_id = m.id)
       + (select count(*) from mirror_item i where i.marketplace_id = m.id and i.status = 'OPEN')
       + (select count(*) from event_head h left join mirror_cursor c using (marketplace_id)
          where h.marketplace_id = m.id and h.position > coalesce(c.position, 0))), 0)::int as n
     from marketplace m where $1::text is null or m.public_id = $1`,
    [market?.id ?? null],
  );
  return row?.n ?? 0;
}
