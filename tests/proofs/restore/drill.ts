//! What both drills share: their options, their rounds, and the sums at the end.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { count, flag, type OptionsOf, seed, words } from '../../harness/options.ts';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { type Canary, tryCanaries } from './canaries.ts';
import type { Outcome } from './outcome.ts';

const optionsOf = <Way>({ ways, quickWay }: Drill<Way>) => ({
  quick: flag('the short slice: one round'),
  rounds: count('sets that are lost', { full: 20, quick: 1 }),
  ways: words('how the database is lost', Object.keys(ways), [quickWay]),
  seed: seed('draws the ways and the moments'),
  canaries: flag('take each protection out in a copy of the source: the drill must fail'),
  loud: flag('show the logs of the processes after each round'),
});

export interface Round {
  readonly text: string;
  readonly outcome: Outcome;
}

export interface Drill<Way> {
  /** As it is typed: `npm run drill:restore`. */
  readonly name: string;
  /** Its main file, from the root. */
  readonly program: string;
  /** By name. Each once, before any of them again. */
  readonly ways: Readonly<Record<string, Way>>;
  readonly quickWay: string;
  readonly canaries: readonly Canary[];
  run(way: Way, random: SeededRandom, options: RoundOptions): Promise<Round>;
}

export interface RoundOptions {
  /** Counted from one. */
  readonly number: number;
  readonly isQuick: boolean;
  /** Where the processes of the round write. */
  readonly logFile: string;
}

export async function runDrill<Way>(drill: Drill<Way>): Promise<void> {
  const { name } = drill;
  await runHarness({ name, options: optionsOf(drill) }, (given) =>
    given.canaries ? Promise.resolve(tryCanaries(drill)) : runRounds(drill, given),
  );
}

async function runRounds<Way>(
  drill: Drill<Way>,
  given: OptionsOf<ReturnType<typeof optionsOf>>,
): Promise<string[]> {
  using logs = createTemporaryFolder('holdfast-drill');
  const wrong: string[] = [];
  const sums = { requested: 0, paid: 0, twice: 0, missing: 0, reported: 0 };
  const random = randomOf(given.seed, 1);
  let left: string[] = [];
  for (let number = 1; number <= given.rounds; number += 1) {
    if (left.length === 0) left = random.shuffled(given.ways);
    const way = drill.ways[left.pop() ?? ''] as Way;
    const startedAt = performance.now();
    const logFile = join(logs.path, String(number));
    const options = { number, isQuick: given.quick, logFile };
    const { text, outcome } = await drill.run(way, random, options).catch((error: Error) => {
      saveLog(logFile, number);
      throw error;
    });
    print(`round ${number}, ${secondsSince(startedAt)}: ${text}`);
    for (const sum of Object.keys(sums) as (keyof typeof sums)[]) sums[sum] += outcome[sum];
    const faults = outcome.wrong.map((fault) => `round ${number}: ${fault}`);
    for (const fault of faults) print(`  ${fault}`);
    if (given.loud) process.stderr.write(readFileSync(logFile));
    if (faults.length > 0) saveLog(logFile, number);
    wrong.push(...faults);
  }
  print(
    `${given.rounds} rounds: ${sums.requested} withdrawals requested, ${sums.paid} paid, ` +
      `${sums.twice} twice; ${sums.missing} acknowledged but missing, ${sums.reported} of them reported`,
  );
  return wrong;
}

/** A fault may not come again: what the processes wrote shows what caused it. */
function saveLog(logFile: string, round: number): void {
  if (!existsSync(logFile)) return;
  const saved = join(tmpdir(), `holdfast-drill-${process.pid}-round-${round}.log`);
  copyFileSync(logFile, saved);
  print(`  the log of round ${round}: ${saved}`);
}
