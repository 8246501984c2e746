//! `npm run bench:orders`: order lives through the whole service against the same steps called in
//! one process, without HTTP and without an engine.
import { availableParallelism, cpus, loadavg } from 'node:os';
import { runAuditor } from '../tests/auditor/run-auditor.ts';
import { say } from './events/figures.ts';
import { startProfile } from './events/server-set.ts';
import { type Measure, measure, warmUp } from './orders/measure.ts';
import { type OrdersOptions, readOptions } from './orders/options.ts';
import {
  AIM,
  calmOf,
  calmText,
  costTable,
  measureText,
  type Round,
  ratioOf,
  stepsTable,
  summaryText,
} from './orders/report.ts';
import { openStage, type Stage } from './orders/stage.ts';

async function benchOrders(options: OrdersOptions): Promise<number> {
  const { pairs, milestones, workers } = options;
  say(`${availableParallelism()} cores, ${cpus()[0]?.model}, Node ${process.version}, ${load()}`);
  const stage = await openStage(options);
  try {
    say(`${pairs} pairs, ${milestones} milestones, ${workers} worker(s)\nwarming up`);
    await warmUp(stage, stage.sides.http, options);
    await warmUp(stage, stage.sides.inPlace, options);
    const cases = new Map<number, Round[]>(options.lanes.map((lanes) => [lanes, []]));
    for (let number = 1; number <= options.rounds; number += 1) {
      for (const [lanes, rounds] of cases)
        rounds.push(await runRound(stage, options, lanes, `round ${number}`));
    }
    for (const [lanes, rounds] of cases) {
      const calm = calmOf(rounds);
      say(`\n── ${lanes} at once; ${calmText(rounds)}\n${summaryText(calm)}`);
      say(`\n${stepsTable(calm)}\n\n${costTable(calm)}`);
    }
    if (options.isProfiled) await profile(stage, options);
    const rounds = [...cases.values()].flat();
    const faults = rounds.flatMap(({ http, inPlace }) => [...http.faults, ...inPlace.faults]);
    const isSound = await audit(stage);
    say(`\n${faults.length} faults; auditor: ${isSound ? 'all is sound' : 'FAULTS FOUND'}`);
    const isReached = [...cases.values()].every((each) => ratioOf(calmOf(each)) >= AIM);
    return faults.length === 0 && isSound && (isReached || !options.isStrict) ? 0 : 1;
  } finally {
    await stage.stop();
  }
}

async function runRound(
  stage: Stage,
  options: OrdersOptions,
  lanes: number,
  name: string,
): Promise<Round> {
  const { sides } = stage;
  const http = await measure(stage, sides.http, lanes, options);
  say(measureText(`${name}, ${lanes} at once: HTTP API`, http));
  const inPlace = await measure(stage, sides.inPlace, lanes, options);
  say(measureText(`${name}, ${lanes} at once: in place`, inPlace));
  const round = { http, inPlace };
  say(`${name}, ${lanes} at once: ratio ${ratioOf([round]).toFixed(2)}, ${load()}`);
  return round;
}

/** After the rounds: a profiler costs time, and would be compared too. */
async function profile(stage: Stage, options: OrdersOptions): Promise<void> {
  const lanes = Math.max(...options.lanes);
  const names = Object.keys(stage.pids).filter((name) => /^(api|worker)/.test(name));
  const ends = await Promise.all(names.map((name) => startProfile(stage.pids[name] ?? 0)));
  const { usage }: Measure = await measure(stage, stage.sides.http, lanes, options);
  for (const [at, name] of names.entries()) say(`\n── ${name}\n${await ends[at]?.(usage.window)}`);
}

function load(): string {
  return `load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`;
}

async function audit({ databaseUrl, sandbox }: Stage): Promise<boolean> {
  const options = ['--database', databaseUrl, '--sandbox', sandbox, '--converged'];
  return (await runAuditor(options)).isClean;
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await benchOrders(options);
