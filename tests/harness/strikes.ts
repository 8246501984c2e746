//! What goes wrong inside, and when: a timetable from the seed, spread over the run.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalRestate } from '../../apps/cli/src/local-restate.ts';
import type { ServerProcess } from '../../apps/cli/src/local-set.ts';
import { eventually } from '../../apps/server/src/testing/until.ts';
import type { Chance } from './chance.ts';
import { say } from './report.ts';
import { needed, type OpenSet } from './set.ts';

export type StrikeCounts<K extends string> = Readonly<Record<K, number>>;

export interface Strikes<K extends string> {
  /** Those that have fallen. */
  readonly counts: Record<K, number>;
  readonly timetable: readonly K[];
  /** From 0 to 1: as far as the run may go on before the next strike has fallen. */
  readonly share: () => number;
}

const STARTS_MS_MAX = 60_000;
const AWAY_MS = { least: 500, spread: 2500 };
const LATE_MS_MAX = 300;

export function planStrikes<K extends string>(
  planned: StrikeCounts<K>,
  chance: Chance,
): Strikes<K> {
  const rows = Object.entries(planned) as [K, number][];
  const timetable = chance.shuffled(rows.flatMap(([kind, times]) => Array<K>(times).fill(kind)));
  const counts = Object.fromEntries(rows.map(([kind]) => [kind, 0])) as Record<K, number>;
  const done = () => Object.values<number>(counts).reduce((sum, times) => sum + times, 0);
  return {
    counts,
    timetable,
    share: () => (timetable.length === 0 ? 1 : (done() + 1.5) / timetable.length),
  };
}

/** Each in its turn: `progress` says from 0 to 1 how far the run is. */
export async function runStrikes<K extends string>(
  { timetable, counts }: Strikes<K>,
  strikes: Readonly<Record<K, () => Promise<unknown>>>,
  chance: Chance,
  progress: () => number,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (const [at, kind] of timetable.entries()) {
    const due = (at + 0.5) / timetable.length;
    while (progress() < due && !isOver()) await sleep(20);
    if (isOver()) return;
    await sleep(chance.below(LATE_MS_MAX));
    await strikes[kind]();
    counts[kind] += 1;
  }
}

/** kill -9 of an api process; the next one listens at the same address. */
export function killApi({ set, apis }: Pick<OpenSet, 'set' | 'apis'>, chance: Chance) {
  return replace(apis, chance.oneOf(apis), ({ url }) => set.startApi(Number(new URL(url).port)));
}

/** What can strike any set; which parts it needs is found out when it strikes. */
export function strikesOn(opened: OpenSet, chance: Chance) {
  const { set, workers, engine, redis } = opened;
  return {
    worker: () => replace(workers, chance.oneOf(workers), () => set.startWorker()),
    api: () => killApi(opened, chance),
    restate: () => killRestate(needed(engine, 'Restate'), chance, false),
    wipe: () => killRestate(needed(engine, 'Restate'), chance, true),
    flush: () => needed(redis, 'Redis').flush(),
  };
}

/**
 * kill -9, and another at once. As whatever supervises processes does: one that does not come up
 * is started again.
 */
async function replace(
  running: ServerProcess[],
  victim: ServerProcess,
  start: (victim: ServerProcess) => Promise<ServerProcess>,
): Promise<void> {
  await victim.kill('SIGKILL');
  const startOrSay = () =>
    start(victim).catch((error: Error) => {
      say(error.message);
      throw error;
    });
  running[running.indexOf(victim)] = await eventually(STARTS_MS_MAX, startOrSay, 1000);
}

/** Wiped, it remembers nothing: the workers tell it where they are, the sweeper what is open. */
async function killRestate(engine: LocalRestate, chance: Chance, isWiped: boolean): Promise<void> {
  await engine.kill('SIGKILL');
  await sleep(AWAY_MS.least + chance.below(AWAY_MS.spread));
  await engine.start({ wiped: isWiped });
}

/** For every worker that is gone another one is started. */
export function replaceTheDead({ set, workers }: Pick<OpenSet, 'set' | 'workers'>): {
  readonly deaths: () => number;
  readonly end: () => Promise<void>;
} {
  let deaths = 0;
  let isOver = false;
  const starting = new Set<Promise<unknown>>();
  const start = async () => {
    // One that dies before it is ready, for what it took up at once, has a successor too.
    const started = set.startWorker().catch(() => undefined);
    starting.add(started);
    await started;
    starting.delete(started);
    return started;
  };
  const follow = async (first: ServerProcess): Promise<void> => {
    for (let worker: ServerProcess | undefined = first; ; ) {
      await worker?.gone;
      if (isOver) return;
      deaths += 1;
      worker = await start();
    }
  };
  for (const worker of workers) void follow(worker);
  return {
    deaths: () => deaths,
    end: async () => {
      isOver = true;
      // Whoever is still starting is the set's to stop, once it is there.
      await Promise.all(starting);
    },
  };
}
