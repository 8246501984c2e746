//! `npm run bench:books`: balance requests over HTTP against bare pgbench doing the same work.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { print } from '../tests/harness/report.ts';
import { auditRun } from '../tests/harness/run.ts';
import { openSet } from '../tests/harness/set.ts';
import { casesOf } from './books/cases.ts';
import { type Bench, type Measure, measureService } from './books/measure.ts';
import { type BooksOptions, options } from './books/options.ts';
import { type Seeded, seed } from './books/seed.ts';
import { medianOf } from './harness/figures.ts';
import { INSPECTABLE, startProfile } from './harness/profile.ts';
import {
  type Line,
  linesOf,
  measureText,
  runRounds,
  tableOf,
  targetsOf,
} from './harness/rounds.ts';
import type { Monitor, Window } from './harness/usage.ts';
import { type Outcome, runBench } from './harness/verdict.ts';

const UNIT = { many: 'ops', cpu: 'µs' } as const;
/** An api that has just started is slow: the first case of it must not be measured cold. */
const WARM_UP = { seconds: 2, cases: 3, quickCases: 2 };

async function benchBooks(values: BooksOptions): Promise<Outcome> {
  await using set = await openSet({
    apis: values.apis,
    worker: !values['no-worker'],
    // The books alone: wallets and their network are measured elsewhere.
    sandbox: 'none',
    env: { HOLDFAST_RATE_LIMIT: 'off', ...(values.profile ? INSPECTABLE : {}) },
  });
  const postgres = await assertDurable(set.monitor);
  print(`${postgres}; fsync and synchronous_commit are on\nseeding ${values.users} users`);
  const seeded = await seed(set, values.users);
  const bench: Bench = { set, seconds: values.seconds };
  return await (values.profile ? profile : compare)(bench, seeded, values, postgres);
}

async function compare(
  bench: Bench,
  seeded: Seeded,
  values: BooksOptions,
  postgres: string,
): Promise<Outcome> {
  const cases = casesOf(bench, seeded, values);
  await warmUp(bench, seeded, values);
  const repeats = values.quick ? 0 : 1;
  const rounds = await runRounds(cases, { rounds: values.rounds, repeats, unit: UNIT });
  const lines = linesOf(cases, rounds);
  const wrong = await auditRun({ databaseUrl: bench.set.databaseUrl });
  print(`\n${tableOf(lines, UNIT, { 'p50 ms': p50Text, 'p99 ms': p99Text })}\n`);
  if (values.save)
    print(`saved ${save({ options: values, postgres, wrong, lines, rounds: [...rounds] })}`);
  const other = lines.reduce((sum, line) => sum + line.faults, 0);
  const faults = other === 0 ? wrong : [`${other} responses other than 200`, ...wrong];
  return { targets: targetsOf(lines), faults };
}

async function warmUp(bench: Bench, seeded: Seeded, values: BooksOptions): Promise<void> {
  print('warming up');
  const warm = { ...bench, seconds: WARM_UP.seconds };
  const cases = values.quick ? WARM_UP.quickCases : WARM_UP.cases;
  for (const { run } of casesOf(warm, seeded, values).slice(0, cases)) await run();
}

function p50Text({ measures }: Line<Measure>): string {
  const isMean = measures[0]?.p99Ms === undefined;
  return `${medianOf(measures.map(({ p50Ms }) => p50Ms)).toFixed(1)}${isMean ? ' mean' : ''}`;
}

function p99Text({ measures }: Line<Measure>): string {
  const values = measures.flatMap(({ p99Ms }) => p99Ms ?? []);
  return values.length === 0 ? '' : medianOf(values).toFixed(1);
}

async function profile(bench: Bench, seeded: Seeded, values: BooksOptions): Promise<Outcome> {
  const { userIds } = seeded;
  const loads = values.connections.flatMap((connections) =>
    values.operations.map((operation) => ({ operations: [operation], userIds, connections })),
  );
  const pass = async (name: string) => {
    const windows: Window[] = [];
    for (const load of loads) {
      const measure = await measureService(bench, load);
      windows.push(measure.usage.window);
      print(
        measureText(
          `${load.operations[0]} uniform: HTTP ${load.connections}, ${name}`,
          measure,
          UNIT,
        ),
      );
    }
    return windows;
  };
  await pass('warming up');
  const end = await startProfile(bench.set.apis[0]?.pid ?? 0);
  print(`\n${await end(...(await pass('profiled')))}`);
  return { targets: [], faults: [] };
}

/** A baseline that does not wait for the disk would be no baseline. */
async function assertDurable(monitor: Monitor): Promise<string> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const { rows } = await monitor.query<Record<string, string>>(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on') throw new Error(`${setting} is off`);
  }
  const { rows } = await monitor.query<{ version: string }>('select version()');
  return rows[0]?.version.split(' on ')[0] ?? '';
}

function save(figures: object): string {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const path = join(folder, `books-${at.slice(0, 19).replaceAll(/[:T]/g, '-')}.json`);
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, node: process.version };
  const described = ['describe', '--always', '--dirty'];
  const git = spawnSync('git', described, { cwd: import.meta.dirname, encoding: 'utf8' });
  const report = { at, commit: git.stdout.trim(), machine, ...figures };
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

await runBench({ name: 'npm run bench:books', options }, benchBooks);
