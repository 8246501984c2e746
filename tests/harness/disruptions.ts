//! Disruptions inside a set, such as kills: a timetable from the seed, spread over the run.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalRestate } from '../../apps/cli/src/local-restate.ts';
import type { ServerProcess } from '../../apps/cli/src/local-set.ts';
import { eventually } from '../../apps/server/src/testing/until.ts';
import type { SeededRandom } from './random.ts';
import { print } from './report.ts';
import { needed, type OpenSet } from './set.ts';

export type DisruptionCounts<K extends string> = Readonly<Record<K, number>>;

export interface Disruptions<K extends string> {
  /** The disruptions so far. */
  readonly counts: Record<K, number>;
  readonly timetable: readonly K[];
  /** From 0 to 1: how far the run may proceed before the next disruption. */
  readonly share: () => number;
}

const STARTS_MS_MAX = 60_000;
const AWAY_MS = { least: 500, spread: 2500 };
const LATE_MS_MAX = 300;

export function planDisruptions<K extends string>(
  planned: DisruptionCounts<K>,
  random: SeededRandom,
): Disruptions<K> {
  const rows = Object.entries(planned) as [K, number][];
  const timetable = random.shuffled(rows.flatMap(([kind, times]) => Array<K>(times).fill(kind)));
  const counts = Object.fromEntries(rows.map(([kind]) => [kind, 0])) as Record<K, number>;
  const done = () => Object.values<number>(counts).reduce((sum, times) => sum + times, 0);
  return {
    counts,
    timetable,
    share: () => (timetable.length === 0 ? 1 : (done() + 1.5) / timetable.length),
  };
}

/** Runs the timetable in order; `progress` returns from 0 to 1 how far the run is. */
export async function runDisruptions<K extends string>(
  { timetable, counts }: Disruptions<K>,
  disruptions: Readonly<Record<K, () => Promise<unknown>>>,
  random: SeededRandom,
  progress: () => number,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (const [at, kind] of timetable.entries()) {
    const due = (at + 0.5) / timetable.length;
    while (progress() < due && !isOver()) await sleep(20);
    if (isOver()) return;
    await sleep(random.below(LATE_MS_MAX));
    await disruptions[kind]();
    counts[kind] += 1;
  }
}

/** kill -9 of an api process; its successor listens at the same address. */
export function killApi({ set, apis }: Pick<OpenSet, 'set' | 'apis'>, random: SeededRandom) {
  return replace(apis, random.oneOf(apis), ({ url }) => set.startApi(Number(new URL(url).port)));
}

/** Disruptions for any set; one that needs a missing part fails when it runs. */
export function disruptionsOn(opened: OpenSet, random: SeededRandom) {
  const { set, workers, engine, redis } = opened;
  return {
    worker: () => replace(workers, random.oneOf(workers), () => set.startWorker()),
    api: () => killApi(opened, random),
    restate: () => killRestate(needed(engine, 'Restate'), random, false),
    wipe: () => killRestate(needed(engine, 'Restate'), random, true),
    flush: () => needed(redis, 'Redis').flush(),
  };
}

/**
 * kill -9, and a new process at once. As a process supervisor does, it retries a start that fails.
 */
async function replace(
  running: ServerProcess[],
  victim: ServerProcess,
  start: (victim: ServerProcess) => Promise<ServerProcess>,
): Promise<void> {
  await victim.kill('SIGKILL');
  const startOrPrint = () =>
    start(victim).catch((error: Error) => {
      print(error.message);
      throw error;
    });
  running[running.indexOf(victim)] = await eventually(STARTS_MS_MAX, startOrPrint, 1000);
}

/**
 * After a wipe Restate has no state: the workers register again, and the sweeper resubmits open
 * operations.
 */
async function killRestate(
  engine: LocalRestate,
  random: SeededRandom,
  isWiped: boolean,
): Promise<void> {
  await engine.kill('SIGKILL');
  await sleep(AWAY_MS.least + random.below(AWAY_MS.spread));
  await engine.start({ wiped: isWiped });
}

/** Starts a successor for every worker that is gone. */
export function replaceDeadWorkers({ set, workers }: Pick<OpenSet, 'set' | 'workers'>): {
  readonly deaths: () => number;
  readonly end: () => Promise<void>;
} {
  let deaths = 0;
  let isOver = false;
  const starting = new Set<Promise<unknown>>();
  const start = async () => {
    // A worker that dies before it is ready, because of work it took at once, gets a successor too.
    const started = set.startWorker().catch(() => undefined);
    starting.add(started);
    await started;
    starting.delete(started);
    return started;
  };
  const replaceWhenGone = async (first: ServerProcess): Promise<void> => {
    for (let worker: ServerProcess | undefined = first; ; ) {
      await worker?.gone;
      if (isOver) return;
      deaths += 1;
      worker = await start();
    }
  };
  for (const worker of workers) void replaceWhenGone(worker);
  return {
    deaths: () => deaths,
    end: async () => {
      isOver = true;
      // The set stops workers that are still starting, once they are up.
      await Promise.all(starting);
    },
  };
}
