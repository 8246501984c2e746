//! The newest reading of solvency: GET /solvency. The sums of the deployment tell of every
//! marketplace, so only the master key sees them; a key sees its own marketplace's part.
import type { Call, Caller } from '../platform/call.ts';
import { read, type Transactor, type Tx } from '../platform/transact.ts';
import { findPause, type PayoutsPause } from '../withdrawals/payouts-pause.ts';
import { type MarketplacePart, readParts } from './marketplace-part.ts';
import { findNewestReading, type SolvencyReading } from './solvency-reading.ts';

export interface Solvency {
  /** Undefined before the first one. */
  readonly reading: SolvencyReading | undefined;
  readonly pause: PayoutsPause | undefined;
  /** Undefined for the master key, which has no marketplace. */
  readonly parts: readonly MarketplacePart[] | undefined;
}

export async function getSolvency(app: Transactor, call: Call<Caller>): Promise<Solvency> {
  return read(app, call, (tx) => readSolvency(tx));
}

export async function readSolvency(tx: Tx): Promise<Solvency> {
  return {
    reading: await findNewestReading(tx),
    pause: await findPause(tx),
    parts: tx.actor.kind === 'master' ? undefined : await readParts(tx),
  };
}
