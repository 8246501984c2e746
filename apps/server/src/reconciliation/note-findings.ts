//! Writes down what a page of a run has found, and what the run keeps of it.
import type { RunId } from '@holdfast/kernel/ids';
import type { Tx } from '../platform/transact.ts';
import { noteException } from './exception.ts';
import type { Compared, Finding } from './finding.ts';
import { addTallies, type Tallies, tallyOf } from './tally.ts';

/** What a step of a run gives: kept as JSON, so sums are text. */
export interface PageResult {
  /** Where the next page begins; null behind the last one. */
  readonly next: string | null;
  readonly tallies: Tallies;
  /** What the payment provider has moved and the books have not, of everybody, in cents. */
  readonly driftMinor: string;
}

export const NOTHING: PageResult = { next: null, tallies: {}, driftMinor: '0' };

/** Asking again changes nothing: an exception that is open is only seen again. */
export async function noteFindings(
  tx: Tx,
  run: { readonly id: RunId; readonly provider: Compared },
  findings: readonly Finding[],
): Promise<Tallies> {
  for (const { difference } of findings)
    if (difference !== undefined) await noteException(tx, run, difference);
  return tallyOf(run.provider, findings);
}

export function addResults(one: PageResult, other: PageResult): PageResult {
  return {
    next: other.next,
    tallies: addTallies(one.tallies, other.tallies),
    driftMinor: String(BigInt(one.driftMinor) + BigInt(other.driftMinor)),
  };
}
