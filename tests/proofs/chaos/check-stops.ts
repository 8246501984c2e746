//! Checks the stops of a run: each kind was set and has settled, calls were refused, none is left.
import type { Pool } from 'pg';
import { STOP_CODES } from '../../harness/stops.ts';
import { STOP_KINDS } from './plan-stops.ts';
import type { StopRecord } from './run-stops.ts';

/** One part of a run: orders, payments or members. */
interface Part {
  readonly stops: readonly StopRecord[];
  readonly worked: number;
}

/** Fewer orders or payments may end before every kind had its turn. */
export const ENOUGH_FOR_KINDS = 40;
/** Fewer may have met no stop. */
export const ENOUGH_FOR_REFUSALS = 100;

/** Of all calls; the refusals by their text. */
export function stopRefusals(refusals: ReadonlyMap<string, number>): number {
  const codes = [...new Set(Object.values(STOP_CODES))];
  return codes.reduce((sum, code) => sum + (refusals.get(`503 ${code}`) ?? 0), 0);
}

export function wrongStops(
  parts: readonly Part[],
  refusals: ReadonlyMap<string, number>,
): string[] {
  const worked = parts.reduce((sum, part) => sum + part.worked, 0);
  const isUnmet = worked >= ENOUGH_FOR_REFUSALS && stopRefusals(refusals) === 0;
  return [
    ...parts.flatMap(wrongStopsOf),
    ...(isUnmet ? ['no call was refused because of a stop'] : []),
  ];
}

function wrongStopsOf({ stops, worked }: Part): string[] {
  const unsettled = stops
    .filter(({ settledMs }) => settledMs === undefined)
    .map(({ kind, marketplaceId }) => `a stop ${kind} of ${marketplaceId} did not settle`);
  const missing = STOP_KINDS.filter(
    (kind) => !stops.some((stop) => stop.kind === kind && stop.settledMs !== undefined),
  ).map((kind) => `no stop ${kind} was set and settled`);
  return worked < ENOUGH_FOR_KINDS ? unsettled : [...unsettled, ...missing];
}

export async function standingStops(monitor: Pool): Promise<string[]> {
  const { rows } = await monitor.query<{ what: string }>(`
    select 'stop ' || level || ' of ' || public_id as what
      from marketplace_stop stop join marketplace on marketplace.id = stop.marketplace_id
      where lifted_at is null
    union all select 'pause of payouts' from payouts_pause where paused_at is not null`);
  return rows.map(({ what }) => `a ${what} is left`);
}
