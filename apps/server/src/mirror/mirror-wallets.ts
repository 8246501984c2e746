//! Brings the addresses of those who are due to what their books say: a background job.
//!
//! A few lanes at once. Each takes all who are due in a marketplace, up to a full transaction;
//! while it is on its way the next ones gather, so that batches fill by themselves and nobody who
//! is alone waits for company. Whatever dies, batches that are written down reach their end.
import { setTimeout as sleep } from 'node:timers/promises';
import { instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';
import { systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import { transact } from '../platform/transact.ts';
import { turnstile } from '../platform/turnstile.ts';
import { listOpenBatches, postponeBatch } from './batch.ts';
import type { Mirrorer } from './mirrorer.ts';
import { writeBatches } from './plan-batches.ts';
import { runBatch } from './run-batch.ts';

const LANES = 3;
const LOOK_EVERY_MS = 100;
/** Then the run ends, so that a worker that is asked to stop can. */
const RUN_MS_MAX = 5000;
const BATCHES_MAX = 20;
/** Of those that one look has written; the other channels are for others. */
const BATCHES_AT_ONCE = 2;

/** How many users were looked at and transfers made. */
export async function mirrorWallets(app: Mirrorer): Promise<number> {
  // One look for all lanes: ten times a second there is mostly nothing.
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
      // A lane that has nothing to do stays while another is on its way: somebody may come.
      if (busy === 0) return;
      await sleep(LOOK_EVERY_MS);
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

/** Lanes begin at different marketplaces, and the trouble of one is not the next one's. */
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
      app.log.error({ batchId: id, reason: (error as Error).message }, 'fail batch');
      await transact(app, call, (tx) => postponeBatch(tx, id), 'read committed');
    }
  }
  return 0;
}

async function mirrorMarketplace(app: Mirrorer, marketplace: RowNumber): Promise<number> {
  const call = systemCall(marketplace);
  const { looked, batches } = await writeBatches(app, call);
  const gate = turnstile(BATCHES_AT_ONCE);
  const applied = await Promise.all(
    batches.map((batchId) => gate.pass(() => runBatch(app, call, batchId))),
  );
  return applied.reduce((sum, count) => sum + count, looked);
}

async function marketplacesDue(pool: pg.Pool, now: string): Promise<RowNumber[]> {
  const { rows } = await pool.query<{ id: RowNumber }>('select work.mirrors_due($1) as id', [now]);
  return rows.map(({ id }) => id);
}
