//! Gets the newest reading of solvency: GET /solvency. The sums of the deployment would reveal
//! other marketplaces. Only the master key sees them, and a platform admin who names no
//! marketplace. A caller in a marketplace sees its part.

import {
  findPause,
  findResumption,
  type PayoutsPause,
  type PayoutsResumption,
} from '../../payments/withdrawals/payouts-pause.ts';
import type { Call, Caller } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { type MarketplaceSolvency, readMarketplaceSolvency } from './marketplace-solvency.ts';
import { findNewestReading, type SolvencyReading } from './solvency-reading.ts';

export interface Solvency {
  /** Undefined before the first one. */
  readonly reading: SolvencyReading | undefined;
  readonly pause: PayoutsPause | undefined;
  /** How the last pause ended, if none stands. */
  readonly resumption: PayoutsResumption | undefined;
  /** Undefined for a caller without a marketplace. */
  readonly parts: readonly MarketplaceSolvency[] | undefined;
}

export async function getSolvency(app: Transactor, call: Call<Caller>): Promise<Solvency> {
  return read(app, call, (tx) => readSolvency(tx));
}

export async function readSolvency(tx: Tx): Promise<Solvency> {
  return {
    reading: await findNewestReading(tx),
    pause: await findPause(tx),
    resumption: await findResumption(tx),
    parts: 'marketplace' in tx.actor ? await readMarketplaceSolvency(tx) : undefined,
  };
}
