//! `npm run test:flakes`: runs the tests many times, in another order each time, while other
//! processes take a share of each core; names every test that failed at least once.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startThieves } from './flakes/thief.ts';
import { startServices } from './services.ts';

const usage = `npm run test:flakes -- [options] [files]
  files         only these test files, by a part of their path
  --runs N      number of runs (5)
  --steal N     percent of each core that other processes take meanwhile (40)
  --minutes N   start no run after N minutes (100)
  --seed N      seed of the order in the first run (random); each later run adds one
`;

interface Options {
  readonly runs: number;
  readonly steal: number;
  readonly minutes: number;
  readonly seed: number;
  readonly files: readonly string[];
}

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

function readOptions(): Options | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '5' },
      steal: { type: 'string', default: '40' },
      minutes: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  const count = (name: 'runs' | 'steal' | 'minutes' | 'seed', least: number, most: number) => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
  };
  return {
    runs: count('runs', 1, 1000),
    steal: count('steal', 0, 90),
    minutes: count('minutes', 1, 10_000),
    seed: count('seed', 0, 1_000_000_000),
    files: positionals,
  };
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 0;
  const services = await startServices();
  const thieves = startThieves(availableParallelism(), options.steal / 100);
  const folder = join(import.meta.dirname, '../.cache/flakes');
  mkdirSync(folder, { recursive: true });
  const failures: Failure[] = [];
  let [ran, green, tests] = [0, 0, 0];
  const giveUpAt = performance.now() + options.minutes * 60_000;
  try {
    while (ran < options.runs && performance.now() < giveUpAt) {
      const seed = options.seed + ran;
      const startedAt = performance.now();
      const log = join(folder, `${seed}.log`);
      const result = await runTests(seed, options.files, services.env, log);
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
    thieves.stop();
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

process.exit(await main());
