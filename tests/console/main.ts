//! `npm run test:console`: what operators do all day, in a real browser against a whole set, timed;
//! every screen by day, by night and on a phone; what strangers may not do; how much is loaded.
import { mkdtempSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { flag, type OptionsOf, text } from '../harness/options.ts';
import { say, secondsText } from '../harness/report.ts';
import { runHarness } from '../harness/run.ts';
import { buildConsole } from './build.ts';
import { CHECKS, type Check, STORIES } from './checks.ts';
import { Endless, within } from './endless.ts';
import { Stage } from './stage.ts';

const STORY_MS_MAX = 60_000;
/** What has not ended by then never will: a browser does not give up by itself everywhere. */
const ENDLESS_MS = 90_000;

const options = {
  quick: flag('the stories of every day only'),
  screenshots: text('DIR', 'keep the pictures there', { usual: 'a temporary folder' }),
  only: text('REGEXP', 'only what this matches by its name', { full: '', usual: 'all' }),
};

const seconds = (ms: number) => secondsText(ms).padStart(8);

async function testConsole(told: OptionsOf<typeof options>): Promise<string[]> {
  const isWanted = ({ name, isQuick }: Check) =>
    (!told.quick || isQuick === true) && new RegExp(told.only).test(name);
  const pictures = resolve(
    told.screenshots ?? mkdtempSync(join(tmpdir(), 'holdfast-console-screens-')),
  );
  say(`load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`);
  await timed('the console is built', async () => buildConsole());
  const stage = await timed('the set has started', () => Stage.open(pictures));
  try {
    if (!told.quick) await timed('the demo marketplace stands', () => stage.seed());
    const [stories, others] = [STORIES.filter(isWanted), CHECKS.filter(isWanted)];
    const failed = [
      ...(await playAll(stage, stories, STORY_MS_MAX)),
      ...(await playAll(stage, others, Number.POSITIVE_INFINITY)),
    ];
    if (!told.quick) say(`screenshots: ${pictures}`);
    say(`${stories.length + others.length - failed.length} passed, ${failed.length} failed`);
    return failed;
  } finally {
    await stage.close();
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  const made = await work();
  say(`${seconds(performance.now() - begunAt)}  ${what}`);
  return made;
}

/** The names of those that failed. */
async function playAll(stage: Stage, checks: readonly Check[], msMax: number): Promise<string[]> {
  const failed: string[] = [];
  for (const check of checks) if (!(await play(stage, check, msMax, true))) failed.push(check.name);
  return failed;
}

/** True when it was right, in time, and no browser complained. */
async function play(stage: Stage, check: Check, msMax: number, isFirst = false): Promise<boolean> {
  const { name, prepare } = check;
  let begunAt = performance.now();
  const playing = async () => {
    const run = await prepare(stage);
    begunAt = performance.now();
    await within(ENDLESS_MS, 'it', run());
    await stage.everybodyQuiet();
  };
  const wrong = await playing().then(
    () => undefined,
    (error: Error) => error,
  );
  const took = performance.now() - begunAt;
  if (wrong !== undefined) await stage.photographFault(name);
  await stage.everybodyRests();
  // Rarely the browser itself never answers: that is no fault of the console, once.
  if (wrong instanceof Endless && isFirst) {
    say(`          again: ${name}: ${wrong.message}`);
    return play(stage, check, msMax);
  }
  const isLate = took > msMax;
  say(`${seconds(took)}  ${wrong === undefined && !isLate ? 'ok  ' : 'FAIL'} ${name}`);
  if (isLate) say(`          took longer than ${msMax / 1000} s`);
  if (wrong === undefined) return !isLate;
  say((wrong.stack ?? wrong.message).replace(/^/gm, '          '));
  return false;
}

await runHarness(
  { name: 'npm run test:console', options, note: 'Screens need what stories leave behind.' },
  testConsole,
);
