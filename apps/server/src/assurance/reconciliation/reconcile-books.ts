//! A reconciliation run as an operation. Each page is a step, so any worker can continue after the
//! last one, and none holds more than a page in memory.
import type { RunId } from '@holdfast/kernel/ids';
import { saga } from '../../engine/saga.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import type { Finding } from '../comparison/finding.ts';
import { readGroups } from '../solvency/record-solvency.ts';
import { compareTreasury, TREASURY_KEYS } from './compare-contract.ts';
import { clearUnseen, countExceptions } from './exception.ts';
import { reconcileNetwork } from './network-comparison.ts';
import { addResults, NOTHING, type PageResult, recordFindings } from './page-result.ts';
import { reconcilePayments } from './payment-comparison.ts';
import {
  BALANCE_KEY,
  type BalanceSnapshot,
  compareBalance,
  fetchBalanceSnapshot,
} from './provider-balance.ts';
import { endRun } from './run.ts';
import { fetchStep, type ReconcilePlan, type ReconcileRun } from './run-plan.ts';
import { addTallies } from './tally.ts';
import { findUnconfirmedPayments } from './unconfirmed-payments.ts';

export const RECONCILE = 'reconcile-books';

/** The pages found, and the keys that could not be decided. */
interface Compare {
  readonly sum: PageResult;
  readonly undecided: readonly string[];
}

export const reconcileBooksSaga = saga(
  RECONCILE,
  async (run: ReconcileRun, plan: ReconcilePlan) => {
    let sum = NOTHING;
    const undecided: string[] = [];
    for (const provider of plan.providers) {
      const compared = await (provider === 'payment_provider' ? payments : network)(run, plan);
      sum = addResults(sum, compared.sum);
      undecided.push(...compared.undecided);
    }
    return run.lastStep('end', (tx) => end(tx, plan, sum, undecided));
  },
);

async function payments(run: ReconcileRun, plan: ReconcilePlan): Promise<Compare> {
  const before = await balanceStep(run, plan, 'balance-before');
  const sum = addResults(await reconcilePayments(run, plan), await unconfirmed(run, plan));
  const after = await balanceStep(run, plan, 'balance-after');
  if (before === null || after === null) return { sum, undecided: [BALANCE_KEY] };
  const finding = compareBalance(before, after, BigInt(sum.driftMinor));
  return recordHouse(run, plan, 'payment_provider', sum, [[BALANCE_KEY, finding]]);
}

async function unconfirmed(run: ReconcileRun, { runId }: ReconcilePlan): Promise<PageResult> {
  const about = { id: runId, provider: 'payment_provider' } as const;
  const tallies = await run.txStep('unconfirmed', async (tx) =>
    recordFindings(tx, about, await findUnconfirmedPayments(tx)),
  );
  return { ...NOTHING, tallies };
}

async function balanceStep(
  run: ReconcileRun,
  plan: ReconcilePlan,
  name: 'balance-before' | 'balance-after',
): Promise<BalanceSnapshot | null> {
  if (!plan.isHouse) return null;
  return fetchStep(run, name, 'payment_provider', () => fetchBalanceSnapshot(run.app));
}

async function network(run: ReconcileRun, plan: ReconcilePlan): Promise<Compare> {
  const sum = await reconcileNetwork(run, plan);
  if (!plan.isHouse) return { sum, undecided: [] };
  const checked = await fetchStep(run, 'treasury', 'ledger_network', () => treasury(run, plan));
  return { sum: addResults(sum, checked.sum), undecided: checked.undecided };
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
  const tallies = await transact(app, call, (tx) => recordFindings(tx, about, findings));
  const undecided = found.flatMap(([key, finding]) => (finding === undefined ? [key] : []));
  return done({ sum: { ...NOTHING, tallies }, undecided });
}

async function recordHouse(
  run: ReconcileRun,
  plan: ReconcilePlan,
  provider: 'payment_provider',
  sum: PageResult,
  found: readonly (readonly [string, Finding | undefined])[],
): Promise<Compare> {
  const findings = found.flatMap(([, finding]) => finding ?? []);
  const tallies = await run.txStep(`house-${provider}`, (tx) =>
    recordFindings(tx, { id: plan.runId, provider }, findings),
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
