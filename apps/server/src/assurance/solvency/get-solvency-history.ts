//! Lists the results of solvency readings by hour: GET /solvency/history. It has no sums, because
//! they would reveal other marketplaces; every caller may see that nothing was missing.
import type { Instant } from '@holdfast/kernel/clock';
import type { Call, Caller } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { readSolvencyHours, type SolvencyHour } from './solvency-reading.ts';

export interface SolvencyHistory {
  readonly from: Instant;
  readonly hours: readonly SolvencyHour[];
}

const DAYS = '7';
const DAY_MS = 86_400_000;

export async function getSolvencyHistory(
  app: Transactor,
  call: Call<Caller>,
  { days = DAYS }: { readonly days?: string },
): Promise<SolvencyHistory> {
  return read(app, call, async (tx) => {
    const from = tx.now - Number(days) * DAY_MS;
    return { from, hours: await readSolvencyHours(tx, from) };
  });
}
