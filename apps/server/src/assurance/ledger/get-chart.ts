//! Gets the sum of each kind of account: GET /ledger/chart.
import type { Instant } from '@holdfast/kernel/clock';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type ChartLine, sumAccounts } from './book-account.ts';

export interface Chart {
  readonly takenAt: Instant;
  readonly lines: readonly ChartLine[];
}

export async function getChart(app: Transactor, call: Call): Promise<Chart> {
  return read(app, call, async (tx) => ({ takenAt: tx.now, lines: await sumAccounts(tx) }));
}
