//! `npm run smoke`: runs every script of package.json and every command of the README in its
//! smallest form; ends with "N passed, N failed". Scripts that the check runs are only listed.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalSet } from '../apps/cli/src/local-set.ts';
import { createTemporaryFolder } from '../apps/cli/src/temporary-folder.ts';
import { flag, type OptionsOf, rest, runCommand } from '../tests/harness/options.ts';
import { startServices } from './services.ts';
import { ENTRIES, type Run, type Serve } from './smoke/entries.ts';
import { type Documented, findUncovered } from './smoke/faults.ts';
import { type EntryResult, runEntry } from './smoke/run-entry.ts';

const options = {
  scripts: rest('only these'),
  quick: flag('a few seconds: only scripts that the check does not start otherwise'),
  all: flag('run npm run check, too'),
};

const ROOT = join(import.meta.dirname, '..');
const QUICK_LANES = 2;
const QUICK_MS_MAX = 60_000;
const WHOLE_MS_MAX = 900_000;
const CHECK_MS_MAX = 3_600_000;
const LINES_SHOWN = 40;

const print = (text: string) => process.stdout.write(`${text}\n`);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Job {
  readonly name: string;
  readonly entry: Run | Serve;
}

type Tally = Record<'passed' | 'failed', number>;

export function readDocumented(): Documented {
  const { scripts } = JSON.parse(read('package.json')) as Pick<Documented, 'scripts'>;
  const check = ['tools/check.ts', ...globSync('tools/check/*.ts', { cwd: ROOT })];
  const [readme = '', contributing = ''] = ['README.md', 'CONTRIBUTING.md'].map(read);
  return { scripts, readme, contributing, check: check.map(read).join('\n') };
}

async function smoke({ scripts, quick, all }: OptionsOf<typeof options>): Promise<number> {
  const documented = readDocumented();
  const uncovered = findUncovered(ENTRIES, documented);
  for (const line of uncovered) print(`FAIL  ${line}`);
  const tally: Tally = { passed: 0, failed: uncovered.length };
  const isWanted = ({ name }: Job) =>
    name in documented.scripts && (scripts.length === 0 || scripts.includes(name));
  if (quick) await runQuick(jobs('quick').filter(isWanted), documented, tally);
  else await runWhole(jobs('whole').filter(isWanted), documented, tally);
  if (all) {
    const check: Job = { name: 'check', entry: { kind: 'run', args: [] } };
    await runJob(check, documented, process.env, CHECK_MS_MAX, tally);
  }
  if (!quick) printRunElsewhere();
  print(`\n${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed === 0 && tally.passed > 0 ? 0 : 1;
}

function jobs(size: 'quick' | 'whole'): Job[] {
  return Object.entries(ENTRIES).flatMap(([name, { [size]: entry }]) =>
    entry === undefined || entry.kind === 'played' ? [] : [{ name, entry }],
  );
}

/** They need no services: they come no farther than their options and settings. */
async function runQuick(left: Job[], documented: Documented, tally: Tally): Promise<void> {
  const { DATABASE_URL: _, ...env } = process.env;
  const lane = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift())
      await runJob(job, documented, env, QUICK_MS_MAX, tally);
  };
  await Promise.all(Array.from({ length: QUICK_LANES }, lane));
}

async function runWhole(list: Job[], documented: Documented, tally: Tally): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const services = await startServices();
  cleanup.defer(() => services.stop());
  const env = { ...process.env, ...services.env };
  const { path: folder } = cleanup.use(createTemporaryFolder('holdfast-smoke'));
  const alone = list.filter(({ entry }) => !('needsSet' in entry));
  for (const { name, entry } of alone) {
    const args = entry.args.map((arg) => arg.replace('{folder}', folder));
    await runJob({ name, entry: { ...entry, args } }, documented, env, WHOLE_MS_MAX, tally);
  }
  await runInSet(
    list.filter((job) => !alone.includes(job)),
    documented,
    env,
    tally,
  );
}

/** The processes of a set, each started as an operator does, on what a set has already. */
async function runInSet(
  list: Job[],
  documented: Documented,
  env: Record<string, string | undefined>,
  tally: Tally,
): Promise<void> {
  if (list.length === 0) return;
  const { DATABASE_URL: postgres } = env;
  const set = await startLocalSet({ quiet: true, sandbox: false, worker: false, postgres });
  try {
    const settings = { ...process.env, ...set.settings, HOLDFAST_PORT: '0' };
    for (const job of list) await runJob(job, documented, settings, WHOLE_MS_MAX, tally);
  } finally {
    await set.stop();
  }
}

async function runJob(
  { name, entry }: Job,
  { scripts }: Documented,
  env: NodeJS.ProcessEnv,
  msMax: number,
  tally: Tally,
): Promise<void> {
  const path = `${join(ROOT, 'node_modules/.bin')}:${env['PATH']}`;
  const result = await runEntry(scripts[name] as string, entry, { ...env, PATH: path }, msMax);
  tally[result.isGood ? 'passed' : 'failed'] += 1;
  print(lineOf(name, entry.args, result));
}

function lineOf(name: string, args: readonly string[], result: EntryResult): string {
  const { isGood, seconds, fault, output } = result;
  const typed = [name, ...args].join(' ');
  const line = `${isGood ? 'ok  ' : 'FAIL'} ${seconds.toFixed(1).padStart(6)} s  ${typed}`;
  if (isGood) return line;
  const end = output.trimEnd().split('\n').slice(-LINES_SHOWN);
  return [`${line}: ${fault}`, ...end.map((each) => `        ${each}`)].join('\n');
}

function printRunElsewhere(): void {
  const by = (who: string) =>
    Object.entries(ENTRIES).flatMap(([name, { whole }]) =>
      whole.kind === 'played' && whole.by === who ? [name] : [],
    );
  print(`\nrun by npm run check: ${by('check').join(', ')}`);
  print(`run by CI: ${by('ci').join(', ')}`);
  print('npm run test:quickstart runs the commands of the README in an empty folder');
}

if (import.meta.main) {
  // By way of `exit`, which also ends the running entry.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(130));
  await runCommand({ name: 'npm run smoke', options }, smoke);
}
