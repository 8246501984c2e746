//! `npm run drill:restore`: a set at work is killed, and its database is set back by a backup and
//! its archive, a backup alone, a copy of its files or a dump. No withdrawal may be paid twice.
import { count, flag, type OptionsOf, seed } from '../../harness/options.ts';
import { randomOf } from '../../harness/random.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { WAYS } from '../../harness/restorable-postgres.ts';
import { runHarness } from '../../harness/run.ts';
import { tryCanaries } from './canaries.ts';
import { planRound, roundText, runRound } from './round.ts';

const options = {
  quick: flag('the short slice: one round'),
  rounds: count('restores', { full: 20, quick: 1 }),
  seed: seed('draws the ways and the moments'),
  canaries: flag('take each protection out in a copy of the source: the drill must fail'),
  loud: flag('show the logs of the processes after each round'),
};

async function drillRestore(given: OptionsOf<typeof options>): Promise<string[]> {
  if (given.canaries) return tryCanaries();
  const wrong: string[] = [];
  const sums = { requested: 0, paid: 0, twice: 0, missing: 0, reported: 0 };
  const random = randomOf(given.seed, 1);
  // Each combination once before any of them again.
  const all = WAYS.flatMap((way) => [false, true].map((wiped) => ({ way, wiped })));
  let left: typeof all = [];
  for (let number = 1; number <= given.rounds; number += 1) {
    if (left.length === 0) left = random.shuffled(all);
    const { way, wiped } = left.pop() as (typeof all)[number];
    const startedAt = performance.now();
    // Every other round loses few payments: then other channels are free to repeat them.
    const isQuiet = number % 2 === 1;
    const round = await runRound(planRound(random, { way, wiped, isQuiet }), given.loud);
    print(`round ${number}, ${secondsSince(startedAt)}: ${roundText(round)}`);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += round[name];
    wrong.push(...round.wrong.map((fault) => `round ${number}: ${fault}`));
  }
  print(
    `${given.rounds} rounds: ${sums.requested} withdrawals requested, ${sums.paid} paid, ` +
      `${sums.twice} twice; ${sums.missing} acknowledged but missing, ${sums.reported} of them reported`,
  );
  return wrong;
}

await runHarness({ name: 'npm run drill:restore', options }, drillRestore);
