//! `npm run test:day`: a day of two busy marketplaces at a provider that charges fees. The
//! sandbox's clock is set forward by a quarter of an hour at a time. Payouts must never be paused,
//! no reconciliation may find anything, and every cent at the provider must be explained.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { call, dataOf, poster } from '../../harness/api.ts';
import { count, flag, type OptionsOf, seed } from '../../harness/options.ts';
import { createMarketplace } from '../../harness/people.ts';
import { randomOf } from '../../harness/random.ts';
import { print, secondsSince, tally } from '../../harness/report.ts';
import { awaitPolls, awaitWebhooks, converge } from '../../harness/rest.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { advanceClock, control } from '../../harness/sandbox.ts';
import { openSet } from '../../harness/set.ts';
import { type Business, openBusiness } from './business.ts';
import { explainCents } from './provider-cents.ts';
import { openWatch, type SolvencyWatch } from './solvency-watch.ts';

const options = {
  quick: flag('one hour only'),
  hours: count('simulated hours', { full: 24, quick: 1 }),
  topups: count('top-ups of each marketplace in a quarter of an hour', { full: 4 }),
  withdrawals: count('withdrawals of each marketplace in a quarter of an hour', { full: 3 }),
  orders: count('orders of each marketplace in a quarter of an hour', { full: 2 }),
  loud: flag('show the standard error of the processes'),
  seed: seed('who pays what, and what a bank takes back', 1),
};
type DayOptions = OptionsOf<typeof options>;

const QUARTERS = 4;
const QUARTER_SECONDS = 900;
const STEPS = 3;
const STEP_MS = 1500;
const DAY_SECONDS = 86_400;
const CONVERGE_MS_MAX = 120_000;
const ENV = {
  HOLDFAST_RATE_LIMIT: 'off',
  HOLDFAST_MASTER_RATE_LIMIT: '1000000',
  HOLDFAST_TOPUPS_PER_USER: 'off',
  HOLDFAST_WITHDRAWALS_PER_USER: 'off',
  HOLDFAST_WITHDRAWAL_EXPIRY_DAYS: '1',
};
/** Within the quarter of an hour in which it was committed. */
const PAYOUT_DELAY_SECONDS = 300;
/** The provider's fee is paid by the users of one marketplace, and by the other marketplace. */
const FEE_PAYERS = ['USER', 'MARKETPLACE'] as const;

async function testDay(options: DayOptions): Promise<string[]> {
  await using set = await openSet({ isLoud: options.loud, env: ENV });
  const { sandbox, api, monitor } = set;
  const { masterKey } = set.set.ready;
  await control(sandbox, '/payment', 'POST', { payoutDelaySeconds: PAYOUT_DELAY_SECONDS });
  const watch = openWatch({ api, apiKey: masterKey });
  await watch.awaitReading(0);
  const businesses: Business[] = [];
  for (const [at, payinFee] of FEE_PAYERS.entries()) {
    const { id, key } = await createMarketplace(set.set.ready, `the day, fees by ${payinFee}`);
    const terms = { payinFee, suspendOnReversal: false, debtLimit: '100000.00', reason: 'the day' };
    const path = `/marketplaces/${id}/terms`;
    dataOf(path, await call({ api, apiKey: masterKey }, { path, method: 'PUT', body: terms }));
    const post = poster({ api, apiKey: key });
    const get = async (path: string) => dataOf(path, await call({ api, apiKey: key }, { path }));
    const random = randomOf(options.seed, at);
    businesses.push(await openBusiness({ sandbox, post, get, random, size: options }));
  }
  const wrong = await liveThrough(options, sandbox, businesses, watch);
  wrong.push(...(await endDay(sandbox, monitor)));
  // What was in transit has arrived: the last reading must be even to the cent.
  wrong.push(...(await watch.expectBalanced(await clockOf(sandbox))));
  for (const business of businesses) wrong.push(...(await business.reconcile()));
  print(await textOfReadings(monitor));
  wrong.push(...(await explainCents(monitor, sandbox)));
  return [...wrong, ...(await auditRun({ ...set, isConverged: true }))];
}

async function liveThrough(
  { hours }: DayOptions,
  sandbox: string,
  businesses: readonly Business[],
  watch: SolvencyWatch,
): Promise<string[]> {
  const startedAt = performance.now();
  const wrong: string[] = [];
  for (let quarter = 0; quarter < hours * QUARTERS; quarter += 1) {
    await passQuarter(sandbox);
    const since = await clockOf(sandbox);
    // Read while money moves: a reading in a quiet moment would show less.
    const work = businesses.map((business) => business.work(quarter));
    wrong.push(...(await Promise.all([...work, watch.awaitReading(since)])).flat());
    if (quarter % QUARTERS !== QUARTERS - 1) continue;
    for (const business of businesses) wrong.push(...(await business.reconcile()));
    const done = businesses.map((business) => business.summary()).join('; ');
    print(`hour ${(quarter + 1) / QUARTERS} after ${secondsSince(startedAt)}: ${done}`);
  }
  return wrong;
}

/** In steps, so that jobs whose intervals are real have run before a change counts as old. */
async function passQuarter(sandbox: string): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await advanceClock(sandbox, QUARTER_SECONDS / STEPS);
    await sleep(STEP_MS);
  }
}

/** Withdrawals that were never confirmed expire; then nothing is in progress any more. */
async function endDay(sandbox: string, monitor: Pool): Promise<string[]> {
  await advanceClock(sandbox, DAY_SECONDS);
  await awaitWebhooks(sandbox);
  // The last poll of a payment comes after a fifth of its age.
  await advanceClock(sandbox, DAY_SECONDS);
  await awaitPolls(monitor);
  const { moving } = await converge(monitor, CONVERGE_MS_MAX);
  return moving.map((what) => `still moving: ${what}`);
}

async function clockOf(sandbox: string): Promise<number> {
  const { offsetMs } = await control<{ offsetMs: number }>(sandbox, '/clock');
  return Date.now() + offsetMs;
}

async function textOfReadings(monitor: Pool): Promise<string> {
  const { rows } = await monitor.query<{ status: string }>('select status from solvency_reading');
  const counts = tally(rows.map(({ status }) => status));
  return `${rows.length} readings of solvency: ${counts.map((pair) => pair.join(' ')).join(', ')}`;
}

await runHarness({ name: 'npm run test:day', options }, testDay);
