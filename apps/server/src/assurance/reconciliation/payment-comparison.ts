//! The part of a run that compares the payment provider's pay-ins and payouts with ours.
import { assert } from '@holdfast/kernel/assert';
import { transact } from '../../platform/database/transact.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import type { PaymentKind } from '../comparison/compare-payments.ts';
import { findPosted, listUnmet, type OwnedPayment } from '../comparison/own-payments.ts';
import {
  type ComparedPayment,
  comparedOf,
  comparePage,
  SETTLES_MS,
} from '../comparison/payment-pages.ts';
import { addResults, NOTHING, type PageResult, recordFindings } from './page-result.ts';
import { insertSeen } from './run.ts';
import { everyPage, type ReconcilePlan, type ReconcileRun } from './run-plan.ts';

const PROVIDER = 'payment_provider';
const UNMET_PER_PAGE = 50;

export async function reconcilePayments(
  run: ReconcileRun,
  plan: ReconcilePlan,
): Promise<PageResult> {
  let sum = NOTHING;
  for (const kind of ['payin', 'payout'] as const) {
    const listed = await everyPage(run, `${kind}s`, PROVIDER, (after) =>
      listedPage(run, plan, kind, after),
    );
    const unmet = await everyPage(run, `${kind}s-unmet`, PROVIDER, (after) =>
      unmetPage(run, plan, kind, after),
    );
    sum = addResults(sum, addResults(listed, unmet));
  }
  return sum;
}

async function listedPage(
  run: ReconcileRun,
  plan: ReconcilePlan,
  kind: PaymentKind,
  after: string | null,
): Promise<Outcome<PageResult>> {
  const { payments } = run.app;
  if (payments === undefined) return done(NOTHING);
  const page = await comparePage({ ...run.app, payments }, kind, { after, from: plan.windowFrom });
  if (page.kind !== 'done') return page;
  const { compared, next } = page.value;
  return done({ ...(await write(run, plan, compared)), next });
}

/**
 * Our records that the list did not show: each is fetched by its code before it counts as missing.
 */
async function unmetPage(
  run: ReconcileRun,
  plan: ReconcilePlan,
  kind: PaymentKind,
  after: string | null,
): Promise<Outcome<PageResult>> {
  const { pool, payments, clock } = run.app;
  if (payments === undefined) return done(NOTHING);
  const unmet = await listUnmet(pool, kind, {
    marketplace: run.operation.marketplace,
    runId: plan.runId,
    ofAll: plan.isHouse,
    since: plan.windowFrom,
    after,
    count: UNMET_PER_PAGE,
  });
  const settledBefore = clock.now() - SETTLES_MS;
  const compared: ComparedPayment[] = [];
  for (const ours of unmet) {
    // A record that ended without moving money is not missing.
    if (ours.isFinal && ours.bookedMinor === 0n) continue;
    const found = await isThere(run, kind, ours);
    if (found.kind !== 'done') return found;
    if (found.value) continue;
    const posted = await findPosted(pool, [`${kind}:${ours.id}`]);
    const resolvedMinor = posted.get(`${kind}:${ours.id}`) ?? 0n;
    const pair = { kind, ours, theirs: undefined, doubles: null, resolvedMinor, settledBefore };
    compared.push(comparedOf(pair, ours));
  }
  const next = unmet.length < UNMET_PER_PAGE ? null : (unmet.at(-1)?.id ?? null);
  return done({ ...(await write(run, plan, compared)), next });
}

async function isThere(
  { app: { payments } }: ReconcileRun,
  kind: PaymentKind,
  { id }: OwnedPayment,
): Promise<Outcome<boolean>> {
  assert(payments !== undefined, 'a payment provider is configured');
  const found = kind === 'payin' ? await payments.findPayin(id) : await payments.findPayout(id);
  return found.kind === 'done' ? done(found.value !== null) : found;
}

/** Stores this marketplace's findings; of others only their effect on the shared balance counts. */
async function write(
  run: ReconcileRun,
  plan: ReconcilePlan,
  compared: readonly ComparedPayment[],
): Promise<PageResult> {
  const { marketplace } = run.operation;
  const own = compared.filter(({ owner }) =>
    owner === null ? plan.isHouse : owner === marketplace,
  );
  const drift = compared.reduce((sum, each) => sum + each.driftMinor, 0n);
  const tallies = await transact(run.app, run.call, async (tx) => {
    const codes = compared.map(({ code }) => code).filter((code) => code !== null);
    await insertSeen(tx, plan.runId, codes);
    const about = { id: plan.runId, provider: PROVIDER } as const;
    return recordFindings(
      tx,
      about,
      own.map(({ finding }) => finding),
    );
  });
  return { next: null, tallies, driftMinor: String(drift) };
}
