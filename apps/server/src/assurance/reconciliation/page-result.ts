//! Stores the findings of one page of a run, and the result that the run keeps of it.
import type { RunId } from '@holdfast/kernel/ids';
import type { Tx } from '../../platform/database/transact.ts';
import type { Compared, Finding } from '../comparison/finding.ts';
import { recordException } from './exception.ts';
import { addTallies, type Tallies, tallyOf } from './tally.ts';

/** The result of a run's step, stored as JSON, so sums are text. */
export interface PageResult {
  /** The start of the next page; null after the last one. */
  readonly next: string | null;
  readonly tallies: Tallies;
  /**
   * The amount that the payment provider has moved and the books have not, over all marketplaces,
   * in cents.
   */
  readonly driftMinor: string;
}

export const NOTHING: PageResult = { next: null, tallies: {}, driftMinor: '0' };

/** A repeat changes nothing: an open exception is only marked as seen again. */
export async function recordFindings(
  tx: Tx,
  run: { readonly id: RunId; readonly provider: Compared },
  findings: readonly Finding[],
): Promise<Tallies> {
  for (const { difference } of findings)
    if (difference !== undefined) await recordException(tx, run, difference);
  return tallyOf(run.provider, findings);
}

export function addResults(one: PageResult, other: PageResult): PageResult {
  return {
    next: other.next,
    tallies: addTallies(one.tallies, other.tallies),
    driftMinor: String(BigInt(one.driftMinor) + BigInt(other.driftMinor)),
  };
}
