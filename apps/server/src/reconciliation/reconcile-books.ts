//! A reconciliation run as an operation: page by page, each a step, so that any worker goes on
//! behind the last one, and none keeps more than a page in memory.
import type { RunId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { saga } from '../engine/saga.ts';
import { type Tx, transact } from '../platform/transact.ts';
import { done, type Outcome } from '../providers/outcome.ts';
import { compareTreasury, TREASURY_KEYS } from './compare-contract.ts';
import { clearUnseen, countExceptions } from './exception.ts';
import type { Compared, Finding } from './finding.ts';
import { reconcileNetwork } from './network-part.ts';
import { addResults, NOTHING, noteFindings, type PageResult } from './note-findings.ts';
import { reconcilePayments } from './payment-part.ts';
import {
  BALANCE_KEY,
  type BalanceSight,
  compareBalance,
  sightBalance,
} from './provider-balance.ts';
import { readGroups } from './record-solvency.ts';
import { endRun } from './run.ts';
import { lookStep, type ReconcilePlan, type ReconcileRun } from './run-plan.ts';
import { addTallies } from './tally.ts';

export const RECONCILE = 'reconcile-books';

/** Pages found, and what could not be told this time. */
interface Compare {
  readonly sum: PageResult;
  readonly undecided: readonly string[];
}

export const reconcileSaga = saga(RECONCILE, async (run: ReconcileRun, plan: ReconcilePlan) => {
  let sum = NOTHING;
  const undecided: string[] = [];
  for (const provider of plan.providers) {
    const compared = await (provider === 'payment_provider' ? payments : network)(run, plan);
    sum = addResults(sum, compared.sum);
    undecided.push(...compared.undecided);
  }
  return run.last('end', (tx) => end(tx, plan, sum, undecided));
});

async function payments(run: ReconcileRun, plan: ReconcilePlan): Promise<Compare> {
  const before = await balanceStep(run, plan, 'balance-before');
  const sum = await reconcilePayments(run, plan);
  const after = await balanceStep(run, plan, 'balance-after');
  if (before === null || after === null) return { sum, undecided: [BALANCE_KEY] };
  const finding = compareBalance(before, after, BigInt(sum.driftMinor));
  return noteHouse(run, plan, 'payment_provider', sum, [[BALANCE_KEY, finding]]);
}

async function balanceStep(
  run: ReconcileRun,
  plan: ReconcilePlan,
  name: string,
): Promise<BalanceSight | null> {
  if (!plan.isHouse) return null;
  return lookStep(run, name, () => sightBalance(run.app));
}

async function network(run: ReconcileRun, plan: ReconcilePlan): Promise<Compare> {
  const sum = await reconcileNetwork(run, plan);
  if (!plan.isHouse) return { sum, undecided: [] };
  const looked = await lookStep(run, 'treasury', () => treasury(run, plan));
  return { sum: addResults(sum, looked.sum), undecided: looked.undecided };
}

async function treasury(
  { app, call, operation }: ReconcileRun,
  plan: ReconcilePlan,
): Promise<Outcome<Compare>> {
  const groups = await readGroups(app, operation.marketplace);
  const keys = Object.values(TREASURY_KEYS);
  if (groups === undefined) return done({ sum: NOTHING, undecided: keys });
  const found = groups.map(
    (group) => [TREASURY_KEYS[group.asset], compareTreasury(group)] as const,
  );
  const findings = found.flatMap(([, finding]) => finding ?? []);
  const about = { id: plan.runId, provider: 'ledger_network' } as const;
  const tallies = await transact(app, call, (tx) => noteFindings(tx, about, findings));
  const undecided = found.flatMap(([key, finding]) => (finding === undefined ? [key] : []));
  return done({ sum: { ...NOTHING, tallies }, undecided });
}

async function noteHouse(
  run: ReconcileRun,
  plan: ReconcilePlan,
  provider: Compared,
  sum: PageResult,
  found: readonly (readonly [string, Finding | undefined])[],
): Promise<Compare> {
  const findings = found.flatMap(([, finding]) => finding ?? []);
  const tallies = await run.tx(`house-${provider}`, (tx) =>
    noteFindings(tx, { id: plan.runId, provider }, findings),
  );
  const undecided = found.flatMap(([key, finding]) => (finding === undefined ? [key] : []));
  return { sum: { ...sum, tallies: addTallies(sum.tallies, tallies) }, undecided };
}

async function end(
  tx: Tx,
  { runId, providers, windowFrom, isHouse }: ReconcilePlan,
  sum: PageResult,
  undecided: readonly string[],
): Promise<{ readonly runId: RunId }> {
  const cleared = await clearUnseen(tx, { runId, providers, windowFrom, undecided, isHouse });
  const { opened, seenAgain } = await countExceptions(tx, runId);
  await endRun(tx, runId, { totals: sum.tallies, opened, seenAgain, cleared });
  await audit(tx, {
    action: 'RECONCILIATION_DONE',
    resourceId: runId,
    after: { providers, opened, seenAgain, cleared },
  });
  return { runId };
}
