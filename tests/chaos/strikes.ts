//! What goes wrong inside, and when: processes killed, Restate killed and emptied, Redis emptied.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../apps/cli/src/local-set.ts';
import type { Chance } from '../chaos-events/chance.ts';
import type { StrikeCounts } from './options.ts';
import type { Stage } from './stage.ts';

type StrikeKind = keyof StrikeCounts;
/** What can be struck. */
export type StrikeStage = Pick<Stage, 'set' | 'engine' | 'redis' | 'apis' | 'workers'>;
type Strike = (stage: StrikeStage, chance: Chance) => Promise<void>;

export interface Strikes {
  readonly counts: Record<StrikeKind, number>;
  readonly timetable: readonly StrikeKind[];
  /** From 0 to 1: as far as the lives may go on before the next strike has fallen. */
  share(): number;
}

const STARTS_MAX = 5;
const AWAY_MS = { least: 500, spread: 2500 };

const STRIKES: Readonly<Record<StrikeKind, Strike>> = {
  worker: ({ set, workers }, chance) => replace(workers, chance, () => set.startWorker()),
  api: ({ set, apis }, chance) =>
    replace(apis, chance, ({ url }) => set.startApi(Number(new URL(url).port))),
  restate: (stage, chance) => killRestate(stage, chance, false),
  wipe: (stage, chance) => killRestate(stage, chance, true),
  flush: ({ redis }) => redis.flush(),
};

export function planStrikes(counts: StrikeCounts, chance: Chance): Strikes {
  const rows = Object.entries(counts) as [StrikeKind, number][];
  const timetable = chance.shuffled(rows.flatMap(([kind, n]) => Array<StrikeKind>(n).fill(kind)));
  const struck: Record<StrikeKind, number> = { worker: 0, api: 0, restate: 0, wipe: 0, flush: 0 };
  const done = () => Object.values(struck).reduce((sum, times) => sum + times, 0);
  return {
    counts: struck,
    timetable,
    share: () => (timetable.length === 0 ? 1 : (done() + 1.5) / timetable.length),
  };
}

/** Each in its turn, spread over the lives: `progress` says from 0 to 1 how many have ended. */
export async function runStrikes(
  stage: StrikeStage,
  { timetable, counts }: Strikes,
  chance: Chance,
  progress: () => number,
): Promise<void> {
  for (const [at, kind] of timetable.entries()) {
    while (progress() < (at + 0.5) / timetable.length) await sleep(20);
    await sleep(chance.below(300));
    await STRIKES[kind](stage, chance);
    counts[kind] += 1;
  }
}

/** kill -9, and another at once. */
async function replace(
  running: ServerProcess[],
  chance: Chance,
  start: (victim: ServerProcess) => Promise<ServerProcess>,
): Promise<void> {
  const place = chance.below(running.length);
  const victim = running[place];
  if (victim === undefined) throw new Error('there is nobody to kill');
  await victim.kill('SIGKILL');
  running[place] = await insist(() => start(victim));
}

/** As whatever supervises processes does: one that does not come up is started again. */
async function insist(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      process.stdout.write(`${(error as Error).message}\n`);
      if (tries === STARTS_MAX) throw error;
      await sleep(1000);
    }
  }
}

/** Wiped, it remembers nothing: the workers tell it where they are, the sweeper what is open. */
async function killRestate(
  { engine }: Pick<Stage, 'engine'>,
  chance: Chance,
  isWiped: boolean,
): Promise<void> {
  await engine.kill('SIGKILL');
  await sleep(AWAY_MS.least + chance.below(AWAY_MS.spread));
  await engine.start({ wiped: isWiped });
}
