//! `npm run bench:orders`: order lives through the whole service against the same steps called in
//! one process, without HTTP and without an engine.
import { print, tableText } from '../tests/harness/report.ts';
import { auditRun } from '../tests/harness/run.ts';
import { loadText, medianOf, percentilesOf } from './harness/figures.ts';
import { startProfile } from './harness/profile.ts';
import { type Case, type Line, linesOf, runRounds, tableOf, targetsOf } from './harness/rounds.ts';
import { type Outcome, runBench } from './harness/verdict.ts';
import { type Environment, openEnvironment } from './orders/environment.ts';
import { STEPS, type StepName } from './orders/life.ts';
import { type Measure, measure, warmUp } from './orders/measure.ts';
import { type OrdersOptions, options } from './orders/options.ts';

/** Of the rate of the same steps called in place, at least so much is left through the API. */
const AIM = 0.5;
const UNIT = { many: 'lives', cpu: 'ms' } as const;

async function benchOrders(values: OrdersOptions): Promise<Outcome> {
  const { pairs, milestones, workers } = values;
  if (pairs < Math.max(...values.lanes))
    throw new Error('--pairs must be at least the number of lanes');
  await using environment = await openEnvironment(values);
  print(`${pairs} pairs, ${milestones} milestones, ${workers} worker(s)\nwarming up`);
  await warmUp(environment, environment.sides.http, values);
  await warmUp(environment, environment.sides.inProcess, values);
  const cases = values.lanes.flatMap((lanes) => casesOf(environment, values, lanes));
  const rounds = await runRounds(cases, { rounds: values.rounds, unit: UNIT });
  const lines = linesOf(cases, rounds);
  print(`\n${tableOf(lines, UNIT, { commits: commitsText })}\n\n${stepsTable(lines)}`);
  print(loadText());
  if (values.profile) await profile(environment, values);
  const { databaseUrl, sandbox } = environment;
  const wrong = await auditRun({ databaseUrl, sandbox, isConverged: true });
  const faults = [...rounds.values()].flat().flatMap(({ firstFault }) => firstFault ?? []);
  return { targets: targetsOf(lines), faults: [...faults, ...wrong] };
}

function casesOf(environment: Environment, values: OrdersOptions, lanes: number): Case<Measure>[] {
  const { http, inProcess } = environment.sides;
  const baseline = `${lanes} at once: in place`;
  return [
    {
      name: `${lanes} at once: HTTP API`,
      baseline,
      target: AIM,
      run: () => measure(environment, http, lanes, values),
    },
    { name: baseline, run: () => measure(environment, inProcess, lanes, values) },
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
async function profile(environment: Environment, values: OrdersOptions): Promise<void> {
  const names = Object.keys(environment.pids).filter((name) => /^(api|worker)/.test(name));
  const ends = await Promise.all(names.map((name) => startProfile(environment.pids[name] ?? 0)));
  const { usage } = await measure(
    environment,
    environment.sides.http,
    Math.max(...values.lanes),
    values,
  );
  for (const [at, name] of names.entries())
    print(`\n── ${name}\n${await ends[at]?.(usage.window)}`);
}

await runBench({ name: 'npm run bench:orders', options }, benchOrders);
