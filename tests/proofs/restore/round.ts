//! One round: a set at work, killed at a random moment, whose database is set back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../harness/random.ts';
import { secondsText } from '../../harness/report.ts';
import { SAME_SERVER, startRestorable, type Way } from '../../harness/restorable-postgres.ts';
import { needed } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { checkClosed, countSent } from './closed.ts';
import { countPaid, openRun } from './environment.ts';
import { readHistory, readRestateMark, type Status, statusAfter } from './history.ts';
import { openLoad } from './load.ts';
import { type Settled, settle } from './settle.ts';
import { reach, type Verdict } from './verdict.ts';

export interface RoundPlan {
  readonly way: Way;
  readonly wiped: boolean;
  /** What is lost is only the payments of withdrawals that were committed before. */
  readonly isQuiet: boolean;
  /** Of load, before the moment to which the database is set back, and after it. */
  readonly beforeMs: number;
  readonly lostMs: number;
}

export interface Round extends RoundPlan, Settled, Verdict {
  readonly status: Status;
  readonly requested: number;
  readonly restoredMs: number;
  readonly closedMs: number;
}

/** Several withdrawals are committed while no worker pays them. */
const AWAY_MS = 1200;
const PAID_MS_MAX = 20_000;

export function planRound(
  random: SeededRandom,
  drawn: Pick<RoundPlan, 'way' | 'wiped' | 'isQuiet'>,
): RoundPlan {
  const beforeMs = 1000 + random.below(2000);
  return { ...drawn, beforeMs, lostMs: 1500 + random.below(4500) };
}

export async function runRound(plan: RoundPlan, isLoud: boolean): Promise<Round> {
  const { way, wiped, isQuiet, beforeMs, lostMs } = plan;
  await using cleanup = new AsyncDisposableStack();
  const postgres = needed(await startRestorable(), 'PostgreSQL');
  cleanup.defer(async () => postgres.stop());
  const { server } = postgres;
  const run = cleanup.use(await openRun(server, { isLoud }));
  const load = await openLoad(run);
  const stop = load.start();
  await sleep(beforeMs);
  // The moment to go back to: withdrawals are committed, and are paid only afterwards.
  await run.killWorkers();
  await sleep(AWAY_MS);
  if (isQuiet) await stop();
  const setBack = await postgres.save(way);
  // A payment is the least that a round loses.
  const paid = await countPaid(run);
  await run.startWorker();
  await within(PAID_MS_MAX, async () => (await countPaid(run)) > paid);
  await sleep(lostMs);
  const before = await readHistory(run.monitor);
  await run.killAll(server);
  const failedAt = performance.now();
  await stop();

  await setBack();
  await run.restate.start({ wiped });
  const after = await readHistory(run.monitor);
  const restateMark = await readRestateMark(run.restate);
  const status = statusAfter(before, after, restateMark);
  const isAnother = after.server !== before.server;
  const restoredMs = performance.now() - failedAt;
  const sent = await countSent(run, status);
  await Promise.all([run.startApi(), run.startWorker()]);
  const closed = await checkClosed(run, load, status, sent);
  const settled = await settle(run, load, failedAt);
  const verdict = await reach(run, load, settled.moving);
  const misfit = isAnother === SAME_SERVER.includes(way) ? [`${way} is not what it says`] : [];
  return {
    ...{ ...plan, ...settled, ...verdict, status, restoredMs },
    requested: load.amounts.length,
    closedMs: closed.ms,
    wrong: [...misfit, ...closed.wrong, ...settled.wrong, ...verdict.wrong],
  };
}

export function roundText(round: Round): string {
  const { way, wiped, isQuiet, lostMs, status, closedMs, writesMs, sendingMs, missingText } = round;
  const ms = (value: number | undefined) => (value === undefined ? 'none' : secondsText(value));
  return [
    `${way}, Restate ${wiped ? 'wiped' : 'as it was'}, ${secondsText(lostMs)} back${isQuiet ? ' without load' : ''}`,
    `${status} after ${secondsText(closedMs)}, opened ${round.openings} times`,
    `first write ${ms(writesMs)}, first payment ${ms(sendingMs)} after the failure`,
    `${round.requested} withdrawals requested, ${round.paid} paid, ${round.twice} twice`,
    `${round.missing} acknowledged but missing (${missingText}), ${round.reported} of them reported`,
    `${round.differences} differences, ${round.moving.length} still moving`,
  ].join('; ');
}
