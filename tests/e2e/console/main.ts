//! `npm run test:console`: runs operators' daily tasks, timed, in a real browser against a whole
//! set. Also checks every screen in light, dark and phone form, security, and the size of the first
//! load.
import { mkdtempSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { flag, type OptionsOf, text } from '../../harness/options.ts';
import { print, secondsText } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { buildConsole } from './build.ts';
import { CHECKS, type Check, SCENARIOS } from './checks.ts';
import { Endless, within } from './endless.ts';
import { Environment } from './environment.ts';

const SCENARIO_MS_MAX = 60_000;
/** The limit of one check: some browser calls never return and have no timeout of their own. */
const ENDLESS_MS = 90_000;

const options = {
  quick: flag('only the daily tasks'),
  screenshots: text('DIR', 'write screenshots to this folder', {
    defaultText: 'a temporary folder',
  }),
  only: text('REGEXP', 'run only checks whose name matches', { full: '', defaultText: 'all' }),
};

const seconds = (ms: number) => secondsText(ms).padStart(8);

async function testConsole(values: OptionsOf<typeof options>): Promise<string[]> {
  const isWanted = ({ name, isQuick }: Check) =>
    (!values.quick || isQuick === true) && new RegExp(values.only).test(name);
  const { screenshots = mkdtempSync(join(tmpdir(), 'holdfast-console-screens-')) } = values;
  const pictures = resolve(screenshots);
  print(`load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`);
  await timed('console built', async () => buildConsole());
  await using environment = await timed('environment started', () => Environment.open(pictures));
  if (!values.quick) await timed('demo marketplace seeded', () => environment.seed());
  const [scenarios, others] = [SCENARIOS.filter(isWanted), CHECKS.filter(isWanted)];
  const failed = [
    ...(await runAll(environment, scenarios, SCENARIO_MS_MAX)),
    ...(await runAll(environment, others, Number.POSITIVE_INFINITY)),
  ];
  if (!values.quick) print(`screenshots: ${pictures}`);
  print(`${scenarios.length + others.length - failed.length} passed, ${failed.length} failed`);
  return failed;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  print(`${seconds(performance.now() - startedAt)}  ${what}`);
  return result;
}

/** Returns the names of the checks that failed. */
async function runAll(
  environment: Environment,
  checks: readonly Check[],
  msMax: number,
): Promise<string[]> {
  const failed: string[] = [];
  for (const check of checks)
    if (!(await runCheck(environment, check, msMax, true))) failed.push(check.name);
  return failed;
}

/** True if the check passed in time and no browser logged an error. */
async function runCheck(
  environment: Environment,
  check: Check,
  msMax: number,
  isFirst = false,
): Promise<boolean> {
  const { name, prepare } = check;
  let startedAt = performance.now();
  const playing = async () => {
    const run = await prepare(environment);
    startedAt = performance.now();
    await within(ENDLESS_MS, 'check', run());
    await environment.everybodyQuiet();
  };
  const wrong = await playing().then(
    () => undefined,
    (error: Error) => error,
  );
  const took = performance.now() - startedAt;
  if (wrong !== undefined) await environment.photographFault(name);
  await environment.everybodyRests();
  // On rare occasions the browser itself hangs. The check is retried once: the console is not at
  // fault.
  if (wrong instanceof Endless && isFirst) {
    print(`          retry: ${name}: ${wrong.message}`);
    return runCheck(environment, check, msMax);
  }
  const isLate = took > msMax;
  print(`${seconds(took)}  ${wrong === undefined && !isLate ? 'ok  ' : 'FAIL'} ${name}`);
  if (isLate) print(`          took longer than ${msMax / 1000} s`);
  if (wrong === undefined) return !isLate;
  print((wrong.stack ?? wrong.message).replace(/^/gm, '          '));
  return false;
}

await runHarness(
  { name: 'npm run test:console', options, note: 'Screens use the data that scenarios create.' },
  testConsole,
);
