//! `npm run bench:orders`: order lives through the whole service against the same steps called in
//! one process, without HTTP and without an engine.
import { say, tableText } from '../tests/harness/report.ts';
import { auditRun } from '../tests/harness/run.ts';
import { loadText, medianOf, percentilesOf } from './harness/figures.ts';
import { startProfile } from './harness/profile.ts';
import { type Case, type Line, linesOf, runRounds, tableOf, targetsOf } from './harness/rounds.ts';
import { type Outcome, runBench } from './harness/verdict.ts';
import { STEPS, type StepName } from './orders/life.ts';
import { type Measure, measure, warmUp } from './orders/measure.ts';
import { type OrdersOptions, options } from './orders/options.ts';
import { openStage, type Stage } from './orders/stage.ts';

/** Of the rate of the same steps called in place, at least so much is left through the API. */
const AIM = 0.5;
const UNIT = { many: 'lives', cpu: 'ms' } as const;

async function benchOrders(told: OrdersOptions): Promise<Outcome> {
  const { pairs, milestones, workers } = told;
  if (pairs < Math.max(...told.lanes)) throw new Error('--pairs wants at least as many as lanes');
  const stage = await openStage(told);
  try {
    say(`${pairs} pairs, ${milestones} milestones, ${workers} worker(s)\nwarming up`);
    await warmUp(stage, stage.sides.http, told);
    await warmUp(stage, stage.sides.inPlace, told);
    const cases = told.lanes.flatMap((lanes) => casesOf(stage, told, lanes));
    const rounds = await runRounds(cases, { rounds: told.rounds, unit: UNIT });
    const lines = linesOf(cases, rounds);
    say(`\n${tableOf(lines, UNIT, { commits: commitsText })}\n\n${stepsTable(lines)}`);
    say(loadText());
    if (told.profile) await profile(stage, told);
    const { databaseUrl, sandbox } = stage;
    const wrong = await auditRun({ databaseUrl, sandbox, isConverged: true });
    const faults = [...rounds.values()].flat().flatMap(({ firstFault }) => firstFault ?? []);
    return { targets: targetsOf(lines), faults: [...faults, ...wrong] };
  } finally {
    await stage.stop();
  }
}

function casesOf(stage: Stage, told: OrdersOptions, lanes: number): Case<Measure>[] {
  const { http, inPlace } = stage.sides;
  const baseline = `${lanes} at once: in place`;
  return [
    {
      name: `${lanes} at once: HTTP API`,
      baseline,
      target: AIM,
      run: () => measure(stage, http, lanes, told),
    },
    { name: baseline, run: () => measure(stage, inPlace, lanes, told) },
  ];
}

function commitsText({ measures }: Line<Measure>): string {
  return medianOf(measures.map(({ commitsPerLife }) => commitsPerLife)).toFixed(0);
}

function stepsTable(lines: readonly Line<Measure>[]): string {
  const timesOf = ({ measures }: Line<Measure>, step: StepName) =>
    measures.flatMap((each) => each.times.get(step) ?? []);
  const head = ['p50, p99 in ms', ...lines.map(({ name }) => name)];
  const taken = STEPS.filter((step) => lines.some((line) => timesOf(line, step).length > 0));
  const rows = taken.map((step) => [
    step,
    ...lines.map((line) => {
      const { p50, p99 } = percentilesOf(timesOf(line, step));
      return `${p50.toFixed(1)}, ${p99.toFixed(1)}`;
    }),
  ]);
  return tableText([head, ...rows]);
}

/** After the rounds: a profiler costs time, and would be compared too. */
async function profile(stage: Stage, told: OrdersOptions): Promise<void> {
  const names = Object.keys(stage.pids).filter((name) => /^(api|worker)/.test(name));
  const ends = await Promise.all(names.map((name) => startProfile(stage.pids[name] ?? 0)));
  const { usage } = await measure(stage, stage.sides.http, Math.max(...told.lanes), told);
  for (const [at, name] of names.entries()) say(`\n── ${name}\n${await ends[at]?.(usage.window)}`);
}

await runBench({ name: 'npm run bench:orders', options }, benchOrders);
