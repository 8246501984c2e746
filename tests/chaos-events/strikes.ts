//! What goes wrong, and when: processes killed and stopped, Redis emptied and taken away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../harness/chance.ts';
import type { OwnRedis } from '../harness/redis.ts';
import type { OpenSet } from '../harness/set.ts';
import {
  killApi,
  planStrikes,
  runStrikes,
  type StrikeCounts,
  type Strikes,
} from '../harness/strikes.ts';
import { awaitLeader, awaitSuccessors, findLeaders, type Leader } from './leader.ts';
import type { ChaosOptions } from './options.ts';
import type { Pace } from './pace.ts';
import type { Watch } from './watch.ts';

export interface Stage extends Pick<OpenSet, 'set' | 'apis' | 'workers' | 'monitor'> {
  readonly redis: OwnRedis;
  readonly watch: Watch;
  readonly chance: Chance;
  readonly pace: Pace;
  readonly struck: Struck;
}

export interface Struck {
  readonly strikes: Strikes<StrikeKind>;
  /** Leaders that were hit between the begin and the commit of their transaction. */
  inTransaction: number;
  /** From the blow to the first event that another leader gave its place. */
  readonly takeOversMs: number[];
  readonly faults: string[];
}

export type StrikeKind = 'api' | 'leader' | 'freeze' | 'flush' | 'redis';

const TAKE_OVER_MS_MAX = 10_000;
const FREEZE_MS = 4000;
const REDIS_GONE_MS = 3000;
const AIM_TRIES_MAX = 40;

export function newStruck(options: ChaosOptions, chance: Chance): Struck {
  const counts: StrikeCounts<StrikeKind> = {
    api: options['api-kills'],
    leader: options['leader-kills'],
    freeze: options.freezes,
    flush: options['redis-flushes'],
    redis: options['redis-kills'],
  };
  const strikes = planStrikes(counts, chance);
  return { strikes, inTransaction: 0, takeOversMs: [], faults: [] };
}

/** Spread over the whole run; Redis is gone while the next one falls. */
export async function strikeAll(stage: Stage): Promise<void> {
  const { redis, chance, pace, struck } = stage;
  let redisIsBack = Promise.resolve();
  const takeRedisAway = async () => {
    await redis.kill();
    await sleep(REDIS_GONE_MS);
    await redis.restart();
  };
  const kinds: Record<StrikeKind, () => Promise<void>> = {
    api: () => killApi(stage, chance),
    leader: () => killLeader(stage),
    freeze: () => freezeLeader(stage),
    flush: async () => {
      await redisIsBack;
      await redis.flush();
    },
    redis: async () => {
      await redisIsBack;
      redisIsBack = takeRedisAway();
    },
  };
  await runStrikes(struck.strikes, kinds, chance, pace.progress, pace.isOver);
  await redisIsBack;
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
