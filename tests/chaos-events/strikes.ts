//! What goes wrong, and when: processes killed and stopped, Redis emptied and taken away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { LocalSet, ServerProcess } from '../../apps/cli/src/local-set.ts';
import type { Chance } from './chance.ts';
import { awaitLeader, awaitSuccessors, findLeaders, type Leader } from './leader.ts';
import type { ChaosOptions } from './options.ts';
import type { Pace } from './pace.ts';
import type { OwnRedis } from './redis.ts';
import type { Watch } from './watch.ts';

export interface Stage {
  readonly set: LocalSet;
  readonly apis: ServerProcess[];
  readonly workers: ServerProcess[];
  readonly redis: OwnRedis;
  readonly monitor: Client;
  readonly watch: Watch;
  readonly chance: Chance;
  readonly pace: Pace;
  readonly struck: Struck;
}

export interface Struck {
  readonly counts: Record<StrikeKind, number>;
  /** Leaders that were hit between the begin and the commit of their transaction. */
  inTransaction: number;
  /** From the blow to the first event that another leader gave its place. */
  readonly takeOversMs: number[];
  readonly faults: string[];
  done: number;
}

export type StrikeKind = 'api' | 'leader' | 'freeze' | 'flush' | 'redis';

const TAKE_OVER_MS_MAX = 10_000;
const FREEZE_MS = 4000;
const REDIS_GONE_MS = 3000;
const AIM_TRIES_MAX = 40;

const strikes: Record<StrikeKind, (stage: Stage) => Promise<void>> = {
  api: killApi,
  leader: killLeader,
  freeze: freezeLeader,
  flush: ({ redis }) => redis.flush(),
  redis: async ({ redis }) => {
    await redis.kill();
    await sleep(REDIS_GONE_MS);
    await redis.restart();
  },
};

export function newStruck(): Struck {
  return {
    counts: { api: 0, leader: 0, freeze: 0, flush: 0, redis: 0 },
    inTransaction: 0,
    takeOversMs: [],
    faults: [],
    done: 0,
  };
}

export function timetableOf(options: ChaosOptions, chance: Chance): StrikeKind[] {
  const times = (kind: StrikeKind, count: number) => Array<StrikeKind>(count).fill(kind);
  return chance.shuffled([
    ...times('api', options['api-kills']),
    ...times('leader', options['leader-kills']),
    ...times('freeze', options.freezes),
    ...times('flush', options['redis-flushes']),
    ...times('redis', options['redis-kills']),
  ]);
}

/** Each in its turn, spread over the whole run; Redis is gone while the next one falls. */
export async function runStrikes(stage: Stage, timetable: readonly StrikeKind[]): Promise<void> {
  let redisIsBack = Promise.resolve();
  for (const [at, kind] of timetable.entries()) {
    const due = (at + 0.5) / timetable.length;
    while (stage.pace.progress() < due && !stage.pace.isOver()) await sleep(20);
    if (stage.pace.isOver()) break;
    await sleep(stage.chance.below(100));
    const isOfRedis = kind === 'redis' || kind === 'flush';
    if (isOfRedis) await redisIsBack;
    const struck = strikes[kind](stage);
    if (kind === 'redis') redisIsBack = struck;
    else await struck;
    stage.struck.counts[kind] += 1;
    stage.struck.done = at + 1;
  }
  await redisIsBack;
}

/** kill -9; the next one listens at the same address. */
async function killApi({ set, apis, chance }: Stage): Promise<void> {
  const place = chance.below(apis.length);
  const victim = apis[place];
  if (victim === undefined) throw new Error('no api process to kill');
  await victim.kill('SIGKILL');
  apis[place] = await set.startApi(Number(new URL(victim.url).port));
}

async function killLeader(stage: Stage): Promise<void> {
  const { set, workers } = stage;
  const leader = await aim(stage);
  const victim = workers.find(({ pid }) => pid === leader?.pid);
  if (leader === undefined || victim === undefined) return;
  const struckAt = performance.now();
  await victim.kill('SIGKILL');
  await timeTakeOver(stage, leader, struckAt);
  workers[workers.indexOf(victim)] = await set.startWorker();
}

/** It neither works nor goes away: its connection stays open, and with it what it had locked. */
async function freezeLeader(stage: Stage): Promise<void> {
  const leader = await aim(stage);
  if (leader === undefined) return;
  const struckAt = performance.now();
  try {
    await timeTakeOver(stage, leader, struckAt);
    await sleep(Math.max(0, FREEZE_MS - (performance.now() - struckAt)));
  } finally {
    process.kill(leader.pid, 'SIGCONT');
  }
}

/** Stops the leader, in the middle of a transaction if that can be had. */
async function aim({ monitor, workers, struck }: Stage): Promise<Leader | undefined> {
  for (let tries = 1; tries <= AIM_TRIES_MAX; tries += 1) {
    const found = await awaitLeader(monitor, TAKE_OVER_MS_MAX);
    if (found === undefined || !workers.some(({ pid }) => pid === found.pid)) {
      struck.faults.push(found === undefined ? 'nobody leads' : `${found.pid} leads, not ours`);
      return undefined;
    }
    process.kill(found.pid, 'SIGSTOP');
    await sleep(5); // A statement that was under way has ended, or waits for something.
    const stopped = (await findLeaders(monitor)).find(({ pid }) => pid === found.pid);
    const isInTransaction = stopped !== undefined && stopped.state !== 'idle';
    if (isInTransaction) struck.inTransaction += 1;
    if (isInTransaction || tries === AIM_TRIES_MAX) return found;
    process.kill(found.pid, 'SIGCONT');
    await sleep(tries);
  }
  return undefined;
}

async function timeTakeOver(stage: Stage, fallen: Leader, struckAt: number): Promise<void> {
  const { monitor, watch, struck } = stage;
  const before = watch.logged(fallen.marketplaces);
  const isLed = await awaitSuccessors(monitor, fallen, TAKE_OVER_MS_MAX);
  const hasGrown = () => watch.logged(fallen.marketplaces) > before;
  while (isLed && !hasGrown() && performance.now() - struckAt < TAKE_OVER_MS_MAX) await sleep(5);
  if (hasGrown()) struck.takeOversMs.push(performance.now() - struckAt);
  else struck.faults.push(`nobody took over from ${fallen.pid}`);
}
