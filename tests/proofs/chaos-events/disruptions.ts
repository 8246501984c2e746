//! The disruptions of a run: processes killed and stopped, Redis flushed and taken down.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DisruptionCounts,
  type Disruptions,
  killApi,
  planDisruptions,
  runDisruptions,
} from '../../harness/disruptions.ts';
import type { SeededRandom } from '../../harness/random.ts';
import type { OwnRedis } from '../../harness/redis.ts';
import type { OpenSet } from '../../harness/set.ts';
import type { Intent } from './intent.ts';
import { awaitLeader, awaitSuccessors, findLeaders, type Leader } from './leader.ts';
import type { ChaosOptions } from './options.ts';
import type { Pace } from './pace.ts';
import type { Watch } from './watch.ts';
import { writeOneEach } from './writer.ts';

export interface Environment
  extends Pick<OpenSet, 'set' | 'apis' | 'workers' | 'monitor' | 'databaseUrl'> {
  readonly redis: OwnRedis;
  readonly watch: Watch;
  readonly intent: Intent;
  readonly random: SeededRandom;
  readonly pace: Pace;
  readonly disruptionLog: DisruptionLog;
}

export interface DisruptionLog {
  readonly disruptions: Disruptions<DisruptionKind>;
  /** Leaders that were stopped inside a transaction. */
  inTransaction: number;
  /** From the disruption to the first event that another leader sequenced. */
  readonly takeOversMs: number[];
  readonly faults: string[];
}

export type DisruptionKind = 'api' | 'leader' | 'freeze' | 'flush' | 'redis';

const TAKE_OVER_MS_MAX = 10_000;
const FREEZE_MS = 4000;
const REDIS_GONE_MS = 3000;
const AIM_TRIES_MAX = 40;

export function newDisruptionLog(options: ChaosOptions, random: SeededRandom): DisruptionLog {
  const counts: DisruptionCounts<DisruptionKind> = {
    api: options['api-kills'],
    leader: options['leader-kills'],
    freeze: options.freezes,
    flush: options['redis-flushes'],
    redis: options['redis-kills'],
  };
  const disruptions = planDisruptions(counts, random);
  return { disruptions, inTransaction: 0, takeOversMs: [], faults: [] };
}

/** Spread over the whole run; the next disruption may come while Redis is down. */
export async function disruptAll(environment: Environment): Promise<void> {
  const { redis, random, pace, disruptionLog } = environment;
  let redisIsBack = Promise.resolve();
  const takeRedisAway = async () => {
    await redis.kill();
    await sleep(REDIS_GONE_MS);
    await redis.restart();
  };
  const kinds: Record<DisruptionKind, () => Promise<void>> = {
    api: () => killApi(environment, random),
    leader: () => killLeader(environment),
    freeze: () => freezeLeader(environment),
    flush: async () => {
      await redisIsBack;
      await redis.flush();
    },
    redis: async () => {
      await redisIsBack;
      redisIsBack = takeRedisAway();
    },
  };
  await runDisruptions(disruptionLog.disruptions, kinds, random, pace.progress, pace.isOver);
  await redisIsBack;
}

async function killLeader(environment: Environment): Promise<void> {
  const { set, workers } = environment;
  const leader = await aim(environment);
  const victim = workers.find(({ pid }) => pid === leader?.pid);
  if (leader === undefined || victim === undefined) return;
  const hitAt = performance.now();
  await victim.kill('SIGKILL');
  await timeTakeOver(environment, leader, hitAt);
  workers[workers.indexOf(victim)] = await set.startWorker();
}

/** The frozen leader does no work, but its connection stays open and keeps its locks. */
async function freezeLeader(environment: Environment): Promise<void> {
  const leader = await aim(environment);
  if (leader === undefined) return;
  const hitAt = performance.now();
  try {
    await timeTakeOver(environment, leader, hitAt);
    await sleep(Math.max(0, FREEZE_MS - (performance.now() - hitAt)));
  } finally {
    process.kill(leader.pid, 'SIGCONT');
  }
}

/** Stops the leader, inside a transaction if possible. */
async function aim({ monitor, workers, disruptionLog }: Environment): Promise<Leader | undefined> {
  for (let tries = 1; tries <= AIM_TRIES_MAX; tries += 1) {
    const found = await awaitLeader(monitor, TAKE_OVER_MS_MAX);
    if (found === undefined || !workers.some(({ pid }) => pid === found.pid)) {
      disruptionLog.faults.push(
        found === undefined ? 'no worker leads' : `${found.pid} leads, not ours`,
      );
      return undefined;
    }
    process.kill(found.pid, 'SIGSTOP');
    await sleep(5); // A statement that was under way has ended, or waits for something.
    const stopped = (await findLeaders(monitor)).find(({ pid }) => pid === found.pid);
    const isInTransaction = stopped !== undefined && stopped.state !== 'idle';
    if (isInTransaction) disruptionLog.inTransaction += 1;
    if (isInTransaction || tries === AIM_TRIES_MAX) return found;
    process.kill(found.pid, 'SIGCONT');
    await sleep(tries);
  }
  return undefined;
}

async function timeTakeOver(
  environment: Environment,
  fallen: Leader,
  hitAt: number,
): Promise<void> {
  const { monitor, databaseUrl, watch, random, intent, disruptionLog } = environment;
  const before = watch.logged(fallen.marketplaces);
  const led = intent.marketplaces.filter(({ number }) => fallen.marketplaces.includes(number));
  // The writers may have written all that they may until this disruption is over.
  const [isLed] = await Promise.all([
    awaitSuccessors(monitor, fallen, TAKE_OVER_MS_MAX),
    writeOneEach(databaseUrl, `after ${fallen.pid}`, random, intent, led),
  ]);
  const hasGrown = () => watch.logged(fallen.marketplaces) > before;
  while (isLed && !hasGrown() && performance.now() - hitAt < TAKE_OVER_MS_MAX) await sleep(5);
  if (hasGrown()) disruptionLog.takeOversMs.push(performance.now() - hitAt);
  else disruptionLog.faults.push(`no worker took over from ${fallen.pid}`);
}
