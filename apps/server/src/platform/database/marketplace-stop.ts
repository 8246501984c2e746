//! What stops a marketplace, read in the transaction that acts. Stops are written by
//! access/marketplaces.
import { STOP_LEVELS } from '@holdfast/contract/enums';
import { refuse } from '@holdfast/contract/errors';
import type pg from 'pg';
import type { RowNumber } from './database.ts';
import { type Query, sql } from './sql.ts';

export type StopLevel = (typeof STOP_LEVELS)[number];

/** The part of a transaction that is needed here. */
interface Reader {
  readonly marketplace: RowNumber;
  query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]>;
}

/** The reason of the oldest standing stop that has this level or includes it. */
async function findStopReason(tx: Reader, level: StopLevel): Promise<string | undefined> {
  const levels = STOP_LEVELS.slice(STOP_LEVELS.indexOf(level));
  const [row] = await tx.query<{ reason: string }>(sql`
    select reason from marketplace_stop
    where marketplace_id = ${tx.marketplace} and level = any (${levels}) and lifted_at is null
    order by id limit 1`);
  return row?.reason;
}

/** Runs in the transaction of every request whose endpoint declares MARKETPLACE_FROZEN. */
export async function refuseWhileFrozen(tx: Reader): Promise<void> {
  const reason = await findStopReason(tx, 'MONEY');
  if (reason !== undefined) refuse('MARKETPLACE_FROZEN', { reason });
}

export async function refuseWhilePayoutsStopped(tx: Reader): Promise<void> {
  const reason = await findStopReason(tx, 'PAYOUTS');
  if (reason !== undefined) refuse('PAYOUTS_PAUSED', { reason });
}

export async function isSigningStopped(tx: Reader): Promise<boolean> {
  return (await findStopReason(tx, 'SIGNING')) !== undefined;
}
