//! The scope of a run, and helpers that run its parts as steps.
import type { NumberedStep, StepName } from '@holdfast/contract/step-words';
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import type { RunId } from '@holdfast/kernel/ids';
import type { SagaRun } from '../../engine/saga.ts';
import type { EscrowProvider } from '../../providers/escrow/escrow-provider.ts';
import type { Outcome } from '../../providers/outcome.ts';
import type { Compared } from '../comparison/finding.ts';
import type { SolvencyWatcher } from '../solvency/record-solvency.ts';
import { addResults, NOTHING, type PageResult } from './page-result.ts';

export interface ReconcilePlan {
  readonly runId: RunId;
  readonly providers: readonly Compared[];
  readonly windowFrom: Instant;
  /**
   * The run covers everything without a marketplace: the treasury, the provider's balance, stray
   * records.
   */
  readonly isHouse: boolean;
}

export interface Reconciler extends SolvencyWatcher {
  readonly escrows: EscrowProvider;
}

export type ReconcileRun = SagaRun<Reconciler>;

/** Fetches one page, or one balance, under a marker of its own. */
export async function fetchStep<T>(
  run: ReconcileRun,
  name: StepName,
  provider: Compared,
  work: () => Promise<Outcome<T>>,
): Promise<T> {
  const outcome = await run.providerStep(name, { provider }, work);
  assert(outcome.kind === 'done', 'a fetch is never refused');
  return outcome.value;
}

/** From the first page to the last, each a step of its own. */
export async function everyPage(
  run: ReconcileRun,
  name: NumberedStep,
  provider: Compared,
  fetchPage: (after: string | null) => Promise<Outcome<PageResult>>,
): Promise<PageResult> {
  let sum = NOTHING;
  let after: string | null = null;
  for (let number = 1; number === 1 || after !== null; number += 1) {
    const from: string | null = after;
    const page: PageResult = await fetchStep(run, `${name}-${number}`, provider, () =>
      fetchPage(from),
    );
    sum = addResults(sum, page);
    after = page.next;
  }
  return sum;
}
