//! Brings the addresses of users who are due to the state of their books: a background job.
//!
//! A few lanes run at once. Each takes all users due in a marketplace, up to a full transaction.
//! Meanwhile the next ones gather, so batches fill by themselves and a single user never waits for
//! others. Stored batches are finished after any crash.
import { setTimeout as sleep } from 'node:timers/promises';
import { instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { transact } from '../../platform/database/transact.ts';
import { mapAtOnce } from '../../platform/semaphore.ts';
import { listOpenBatches, postponeBatch } from './batch.ts';
import type { Mirrorer } from './mirrorer.ts';
import { writeBatches } from './plan-batches.ts';
import { runBatch } from './run-batch.ts';

const LANES = 3;
const POLL_INTERVAL_MS = 100;
/** The run ends after this time, so that a worker can shut down. */
const RUN_MS_MAX = 5000;
const BATCHES_MAX = 20;
/** Of the batches that one pass has written; the other channels are left to other work. */
const BATCHES_AT_ONCE = 2;

/** Returns how many users were checked and transfers made. */
export async function mirrorWallets(app: Mirrorer): Promise<number> {
  // One check for all lanes: at ten runs a second there is mostly no work.
  if (!(await hasWork(app))) return 0;
  const deadline = performance.now() + RUN_MS_MAX;
  let busy = 0;
  let sum = 0;
  const lane = async (number: number) => {
    while (performance.now() < deadline) {
      busy += 1;
      const count = await mirrorOnce(app, number).finally(() => {
        busy -= 1;
      });
      sum += count;
      if (count > 0) continue;
      // An idle lane stays while another is busy: more users may become due.
      if (busy === 0) return;
      await sleep(POLL_INTERVAL_MS);
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: LANES }, (_, number) => lane(number)),
  );
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return sum;
}

async function hasWork({ pool, clock }: Mirrorer): Promise<boolean> {
  const now = instantText(clock.now());
  if ((await listOpenBatches(pool, now, 1)).length > 0) return true;
  return (await marketplacesDue(pool, now)).length > 0;
}

/** Lanes start at different marketplaces, and a failure in one does not affect the next. */
async function mirrorOnce(app: Mirrorer, lane: number): Promise<number> {
  const finished = await finishBatches(app);
  if (finished > 0) return finished;
  const markets = await marketplacesDue(app.pool, instantText(app.clock.now()));
  const first = markets.length === 0 ? 0 : lane % markets.length;
  const troubles: unknown[] = [];
  for (const marketplace of [...markets.slice(first), ...markets.slice(0, first)]) {
    try {
      const count = await mirrorMarketplace(app, marketplace);
      if (count > 0) return count;
    } catch (error) {
      troubles.push(error);
    }
  }
  for (const trouble of troubles) throw trouble;
  return 0;
}

async function finishBatches(app: Mirrorer): Promise<number> {
  const now = instantText(app.clock.now());
  for (const { marketplace, id } of await listOpenBatches(app.pool, now, BATCHES_MAX)) {
    const call = systemCall(marketplace);
    try {
      const applied = await runBatch(app, call, id);
      if (applied > 0) return applied;
    } catch (error) {
      app.log.error({ batchId: id, err: error }, 'mirror batch failed');
      await transact(app, call, (tx) => postponeBatch(tx, id), 'read committed');
    }
  }
  return 0;
}

async function mirrorMarketplace(app: Mirrorer, marketplace: RowNumber): Promise<number> {
  const call = systemCall(marketplace);
  const { observed, batches } = await writeBatches(app, call);
  const applied = await mapAtOnce(BATCHES_AT_ONCE, batches, (id) => runBatch(app, call, id));
  return applied.reduce((sum, count) => sum + count, observed);
}

async function marketplacesDue(pool: pg.Pool, now: string): Promise<RowNumber[]> {
  const { rows } = await pool.query<{ id: RowNumber }>(
    'select work.marketplaces_to_mirror($1) as id',
    [now],
  );
  return rows.map(({ id }) => id);
}
