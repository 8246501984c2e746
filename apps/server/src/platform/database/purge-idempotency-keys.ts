//! Deletes Idempotency-Keys older than a day, in small batches.
import { IDEMPOTENCY_HOURS } from '@holdfast/contract/limits';
import { type Clock, instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';

const AT_ONCE = 1000;
const ROUNDS_MAX = 500;

export async function purgeIdempotencyKeys({
  pool,
  clock,
}: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}): Promise<number> {
  const olderThan = instantText(clock.now() - IDEMPOTENCY_HOURS * 3_600_000);
  let purged = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const {
      rows: [done],
    } = await pool.query<{ count: string }>('select books.purge_idempotency($1, $2) as count', [
      olderThan,
      AT_ONCE,
    ]);
    const count = Number(done?.count ?? 0);
    purged += count;
    if (count < AT_ONCE) break;
  }
  return purged;
}
