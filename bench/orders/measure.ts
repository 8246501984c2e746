//! One side under load for a while: lives per second, the duration of each step, the CPU used.
import { setTimeout as sleep } from 'node:timers/promises';
import { inLanes } from '../../tests/harness/lanes.ts';
import type { Measured } from '../harness/rounds.ts';
import { watchUsage } from '../harness/usage.ts';
import type { Environment } from './environment.ts';
import { live, type RecordTime, type Side, type StepName } from './life.ts';
import type { OrdersOptions } from './options.ts';

/** Lives that began before the window end in it, and others outlast it: as many on each side. */
const LEAD_MS = 2000;
/** Lanes that start together would stay in step, and wait for the same resource at once. */
const APART_MS = 100;
const WARM_LANES = 16;
const LIVES_PER_LANE_MIN = 2;
const STRETCH_MAX = 6;
const POLL_INTERVAL_MS = 50;

export interface Measure extends Measured {
  /** Milliseconds by step, of those that ended within the window. */
  readonly times: ReadonlyMap<StepName, readonly number[]>;
  /** Transactions committed for a life, over all processes. */
  readonly commitsPerLife: number;
}

export async function measure(
  environment: Environment,
  side: Side,
  lanes: number,
  { seconds, milestones }: OrdersOptions,
): Promise<Measure> {
  const times = new Map<StepName, number[]>();
  const faults: string[] = [];
  let isCounted = false;
  let isOver = false;
  const record: RecordTime = (step, ms) => {
    if (!isCounted) return;
    times.set(step, times.get(step) ?? []);
    times.get(step)?.push(ms);
  };
  const runLane = async (lane: number) => {
    const pairs = environment.pairs.filter((_pair, at) => at % lanes === lane);
    await sleep(lane * APART_MS);
    for (let at = 0; !isOver; at += 1) {
      const pair = pairs[at % pairs.length];
      if (pair === undefined) return;
      await live(side, pair, milestones, record).catch((error: Error) =>
        faults.push(error.message),
      );
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
  await sleep(LEAD_MS + lanes * APART_MS);
  const committed = await commits(environment);
  const endUsage = await watchUsage(environment.monitor, environment.pids);
  const startedAt = performance.now();
  isCounted = true;
  const lastMs = () => performance.now() - startedAt;
  const ended = () => times.get('whole life')?.length ?? 0;
  // On a busy machine a life may outlast the window: then it is longer, and no less fair.
  const isShort = () =>
    ended() < LIVES_PER_LANE_MIN * lanes && lastMs() < STRETCH_MAX * seconds * 1000;
  while (lastMs() < seconds * 1000 || isShort()) await sleep(POLL_INTERVAL_MS);
  isCounted = false;
  const tookMs = lastMs();
  const usage = endUsage();
  const committedThen = await commits(environment);
  isOver = true;
  await running;
  await environment.rested();
  const lives = ended();
  return {
    perSecond: (lives * 1000) / tookMs,
    times,
    usage,
    commitsPerLife: (committedThen - committed) / Math.max(1, lives),
    faults: faults.length,
    firstFault: faults[0],
  };
}

/** Each pair once, so that every address holds what the books say before anything is measured. */
export async function warmUp(
  environment: Environment,
  side: Side,
  options: OrdersOptions,
): Promise<void> {
  await inLanes(environment.pairs, WARM_LANES, (pair) =>
    live(side, pair, options.milestones, () => undefined),
  );
  await environment.rested();
}

async function commits({ monitor }: Environment): Promise<number> {
  const { rows } = await monitor.query<{ commits: string }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.commits ?? 0);
}
