//! `npm run test:flakes`: runs the tests many times, in another order each time, while other
//! processes take a share of each core; names every test that failed at least once.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { count, type OptionsOf, rest, runCommand, seed } from '../tests/harness/options.ts';
import { startCpuLoad } from './flakes/cpu-load.ts';
import { startServices } from './services.ts';

const options = {
  files: rest('only these test files, by a part of their path'),
  runs: count('number of runs', { full: 5, most: 1000 }),
  steal: count('percent of each core that other processes take meanwhile', {
    ...{ full: 40, least: 0, most: 90 },
  }),
  minutes: count('start no run after N minutes', { full: 100, most: 10_000 }),
  seed: seed('seed of the order in the first run; each later run adds one'),
};

/** The fields of Vitest's JSON report that are read here. */
interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

interface Failure {
  readonly test: string;
  readonly message: string;
  readonly seed: number;
}

async function findFlakes(values: OptionsOf<typeof options>): Promise<number> {
  const services = await startServices();
  const load = startCpuLoad(availableParallelism(), values.steal / 100);
  const folder = join(import.meta.dirname, '../.cache/flakes');
  mkdirSync(folder, { recursive: true });
  const failures: Failure[] = [];
  let [ran, green, tests] = [0, 0, 0];
  const giveUpAt = performance.now() + values.minutes * 60_000;
  try {
    while (ran < values.runs && performance.now() < giveUpAt) {
      const seed = values.seed + ran;
      const startedAt = performance.now();
      const log = join(folder, `${seed}.log`);
      const result = await runTests(seed, values.files, services.env, log);
      const found = failuresOf(result, seed);
      if (found.length === 0) rmSync(log);
      else process.stdout.write(`output of run ${ran + 1}: ${log}\n`);
      ran += 1;
      if (found.length === 0) green += 1;
      failures.push(...found);
      tests = Math.max(tests, result.testResults.flatMap((file) => file.assertionResults).length);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      process.stdout.write(`run ${ran} (seed ${seed}): ${found.length} failed, ${seconds} s\n`);
    }
  } finally {
    load.stop();
    await services.stop();
  }
  const names = printFailures(failures, ran);
  process.stdout.write(`${green} of ${ran} runs green\n`);
  process.stdout.write(`${tests - names} passed, ${names} failed\n`);
  return names === 0 && tests > 0 ? 0 : 1;
}

/** A run without a report is not a run: it throws, and does not count as green. */
async function runTests(
  seed: number,
  files: readonly string[],
  env: Record<string, string>,
  log: string,
): Promise<TestReport> {
  const to = `${log}.json`;
  const order = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`];
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${to}`];
  const output = openSync(log, 'w');
  const child = spawn('npm', ['run', '-s', 'test', '--', ...order, ...report, ...files], {
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  await new Promise((resolve) => child.once('close', resolve));
  closeSync(output);
  try {
    return JSON.parse(readFileSync(to, 'utf8')) as TestReport;
  } finally {
    rmSync(to, { force: true });
  }
}

function failuresOf({ testResults }: TestReport, seed: number): Failure[] {
  const root = `${join(import.meta.dirname, '..')}/`;
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(root, '');
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        test: `${file} > ${fullName}`,
        message: (failureMessages ?? []).join('\n'),
        seed,
      }));
    // A file that cannot be loaded, or whose hooks fail, has no failed test to show.
    const isUntold = failed.length === 0 && status === 'failed';
    return isUntold ? [{ test: file, message, seed }] : failed;
  });
}

/** Prints each test that failed, most often first. Returns their number. */
function printFailures(failures: readonly Failure[], runs: number): number {
  const byTest = [...Map.groupBy(failures, ({ test }) => test)];
  byTest.sort(([, one], [, other]) => other.length - one.length);
  for (const [test, found] of byTest) {
    const seeds = found.map(({ seed }) => seed).join(', ');
    const first = (found[0]?.message ?? '').split('\n').slice(0, 12).join('\n    ');
    process.stdout.write(`${found.length} of ${runs}: ${test} (seeds ${seeds})\n    ${first}\n`);
  }
  return byTest.length;
}

await runCommand({ name: 'npm run test:flakes', options }, findFlakes);
process.exit();
