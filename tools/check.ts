//! `npm run check`: everything CI checks; ends with "N passed, N failed".
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanCommit, recordGreen } from './check/last-green.ts';
import { watchMachine } from './check/machine-use.ts';
import { profileOf } from './check/profile.ts';
import { type Ended, runStep, type Step } from './check/run-step.ts';
import { STAGES, STEPS } from './check/steps.ts';
import { testsSince } from './graph.ts';
import { startServices } from './services.ts';

const usage = `npm run check -- [options] [steps]
  steps        only these: ${STEPS.map(({ name }) => name).join(', ')}
  --profile    also what each step took and what the machine waited for, and the dearest test files
  --since REV  for the time in between: types, lint, imports, unused code, and the tests that the
               changes since that commit can touch; the whole is still owed before a push
`;

/** How much of a failed step is printed again at the end: a truncated log loses its start. */
const LINES_REPEATED = 100;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      profile: { type: 'boolean', default: false },
      since: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const unknown = positionals.filter((each) => !STEPS.some(({ name }) => name === each));
  if (unknown.length > 0) throw new Error(`no step is called ${unknown.join(', ')}\n${usage}`);
  const isWhole = positionals.length === 0 && values.since === undefined;
  const stages = stagesOf(positionals, values.since);
  const commit = cleanCommit();
  const machine = watchMachine();
  const services = await startServices();
  const env = environment(services.env, values.profile);
  const ended: Ended[] = [];
  try {
    for (const lanes of stages) ended.push(...(await runLanes(lanes, env)));
    if (values.profile) process.stdout.write(`\n${profileOf(ended, machine)}\n`);
  } finally {
    machine.stop();
    await services.stop();
  }
  const isGreen = printVerdicts(ended);
  if (isGreen && isWhole && commit !== undefined && commit === cleanCommit()) recordGreen(commit);
  return isGreen ? 0 : 1;
}

function stagesOf(wanted: readonly string[], since: string | undefined): typeof STAGES {
  const isWanted = ({ name, isQuick }: Step) =>
    wanted.length > 0 ? wanted.includes(name) : since === undefined || isQuick === true;
  const files = since === undefined ? 'all' : testsSince(since);
  const narrowed = (step: Step): Step =>
    step.name !== 'tests' || files === 'all'
      ? step
      : { ...step, command: [...step.command, '--', ...files] };
  return STAGES.map((lanes) =>
    lanes.map((lane) => lane.filter(isWanted).map(narrowed).filter(hasWork(files))),
  );
}

/** Without a file to name, Vitest would run them all. */
const hasWork = (files: readonly string[] | 'all') => (step: Step) =>
  step.name !== 'tests' || files === 'all' || files.length > 0;

/** The first lane is heard as it goes; a step of another one when it has ended, in one piece. */
async function runLanes(
  lanes: readonly (readonly Step[])[],
  env: NodeJS.ProcessEnv,
): Promise<Ended[]> {
  const ran = await Promise.all(
    lanes.map(async (steps, lane) => {
      const ended: Ended[] = [];
      for (const step of steps) {
        const title = `\n── ${step.name}\n`;
        const isShown = lane === 0;
        if (isShown) process.stdout.write(title);
        const print = (text: string) => void (isShown && process.stdout.write(text));
        const result = await runStep(step, environmentOf(step, env), print);
        if (!isShown) process.stdout.write(`${title}${result.output}`);
        process.stdout.write(verdictOf(result));
        ended.push(result);
      }
      return ended;
    }),
  );
  return ran.flat();
}

function environment(services: Record<string, string>, isProfiled: boolean): NodeJS.ProcessEnv {
  // Many processes are started: they should not compile again.
  const cache = join(tmpdir(), 'holdfast-compile-cache');
  const profile = isProfiled ? { TEST_COSTS: 'on' } : {};
  return { NODE_COMPILE_CACHE: cache, ...process.env, ...services, ...profile };
}

/** Without the PostgreSQL for tests, a step finds or starts one with the usual settings. */
function environmentOf({ needsDisk }: Step, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return needsDisk ? { ...env, DATABASE_URL: process.env['DATABASE_URL'] } : env;
}

function verdictOf({ step, isGood, startedAt, endedAt }: Ended): string {
  const seconds = ((endedAt - startedAt) / 1000).toFixed(1);
  return `── ${step.name}: ${isGood ? 'ok' : 'FAILED'} in ${seconds} s\n`;
}

/** Prints the failed steps again, and the count. Returns whether none failed. */
function printVerdicts(ended: readonly Ended[]): boolean {
  const bad = ended.filter(({ isGood }) => !isGood);
  const repeated = bad.map((each) => `${verdictOf(each)}${endOf(each.output)}\n`);
  if (bad.length > 0) process.stdout.write(`\n══ what failed\n${repeated.join('\n')}`);
  const passed = ended.reduce((sum, each) => sum + each.passed, 0);
  const failed = ended.reduce((sum, each) => sum + each.failed, 0);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0;
}

function endOf(output: string): string {
  return output.trimEnd().split('\n').slice(-LINES_REPEATED).join('\n');
}

process.exit(await main());
