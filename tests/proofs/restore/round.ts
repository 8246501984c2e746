//! One round: a set at work, killed at a random moment, whose database is set back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../harness/random.ts';
import { secondsText } from '../../harness/report.ts';
import { SAME_SERVER, startRestorable, type Way } from '../../harness/restorable-postgres.ts';
import { needed } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { listPayments, openRun, type Run } from './environment.ts';
import { readHistory } from './history.ts';
import { type Load, openLoad } from './load.ts';
import { type Outcome, outcomeOf, outcomeText } from './outcome.ts';

export interface RoundPlan {
  readonly way: Way;
  readonly wiped: boolean;
  /** What is lost is only the payment of one withdrawal that was committed before. */
  readonly isQuiet: boolean;
  /** Of load, before the moment to which the database is set back, and after it. */
  readonly beforeMs: number;
  readonly lostMs: number;
}

export interface Round extends RoundPlan, Outcome {}

/** Several withdrawals are committed while no worker pays them. */
const AWAY_MS = 1200;
const PAID_MS_MAX = 60_000;

export function planRound(
  random: SeededRandom,
  drawn: Pick<RoundPlan, 'way' | 'wiped' | 'isQuiet'>,
  isQuick: boolean,
): RoundPlan {
  const most = (ms: number) => random.below(isQuick ? ms / 4 : ms);
  return { ...drawn, beforeMs: 1000 + most(2000), lostMs: 1500 + most(4500) };
}

export async function runRound(plan: RoundPlan, logFile: string): Promise<Round> {
  const { way, wiped, isQuiet, beforeMs, lostMs } = plan;
  await using cleanup = new AsyncDisposableStack();
  const postgres = needed(await startRestorable(), 'PostgreSQL');
  cleanup.defer(async () => postgres.stop());
  const { server } = postgres;
  const run = cleanup.use(await openRun(server, logFile));
  const load = await openLoad(run);
  const stop = isQuiet ? undefined : load.start();
  if (!isQuiet) await sleep(beforeMs);
  // The moment to go back to: withdrawals are committed, and are paid only afterwards.
  await run.killWorkers();
  if (!isQuiet) await sleep(AWAY_MS);
  const unpaid = await commitOne(run, load);
  const setBack = await postgres.save(way);
  await run.startWorker();
  const isPaid = async () => (await listPayments(run)).some(({ amount }) => amount === unpaid);
  const isLost = await within(PAID_MS_MAX, isPaid);
  await sleep(lostMs);
  const before = await readHistory(run.monitor);
  await run.killAll(server);
  const failedAt = performance.now();
  await stop?.();

  await setBack();
  await run.restate.start({ wiped });
  const outcome = await outcomeOf(run, load, {
    ...{ before, failedAt, database: run.monitor },
    resume: () => Promise.all([run.startApi(), run.startWorker()]),
  });
  const isMisfit = outcome.isAnother === SAME_SERVER.includes(way);
  const misfit = [
    ...(isMisfit ? [`${way} is not what it says`] : []),
    ...(isLost ? [] : ['no payment was made that could be lost']),
  ];
  return { ...plan, ...outcome, wrong: [...misfit, ...outcome.wrong] };
}

/** Its amount. On a busy machine a response may come too late. */
async function commitOne({ monitor }: Run, load: Load): Promise<string> {
  let amount = '';
  await within(PAID_MS_MAX, async () => {
    amount = await load.withdraw();
    const { rowCount } = await monitor.query(
      `select from withdrawal where amount = $1::numeric * 100 and status = 'WITHDRAWAL_COMMITTED'`,
      [amount],
    );
    return rowCount === 1;
  });
  return amount;
}

export function roundText(round: Round): string {
  const { way, wiped, isQuiet, lostMs } = round;
  return [
    `${way}, Restate ${wiped ? 'wiped' : 'as it was'}, ${secondsText(lostMs)} back${isQuiet ? ' without load' : ''}`,
    outcomeText(round),
  ].join('; ');
}
