//! Sums past hours for the first page of the console: a background job.
import type { Instant } from '@holdfast/kernel/clock';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { findFirstHour, findHead, listBehind, sumHours } from './insight-hour.ts';

const HOUR_MS = 3_600_000;
/** An entry gets its number before it is committed; no transaction of ours takes this long. */
const SLACK_MS = 600_000;
const MARKETPLACES_MAX = 200;
/** The most hours in one statement: a marketplace with years of history is summed in steps. */
const STEP_MS = 31 * 24 * HOUR_MS;

/** Any number of workers: of two that sum the same hours, one finds the head moved. */
export async function recordInsights(app: Transactor): Promise<number> {
  const until = floorHour(app.clock.now() - SLACK_MS);
  const behind = await listBehind(app.pool, until, MARKETPLACES_MAX);
  let summed = 0;
  for (const marketplace of behind) summed += await sumMarketplace(app, marketplace, until);
  return summed;
}

async function sumMarketplace(
  app: Transactor,
  marketplace: RowNumber,
  until: Instant,
): Promise<number> {
  for (let steps = 0; ; steps += 1) {
    const isOver = await transact(
      app,
      systemCall(marketplace),
      async (tx) => {
        const head = (await findHead(tx)) || ((await findFirstHour(tx)) ?? until);
        if (head >= until && steps > 0) return true;
        const end = Math.min(until, head + STEP_MS);
        return !(await sumHours(tx, head, Math.max(head, end))) || end >= until;
      },
      'read committed',
    );
    if (isOver) return steps + 1;
  }
}

export function floorHour(moment: Instant): Instant {
  return moment - (moment % HOUR_MS);
}
