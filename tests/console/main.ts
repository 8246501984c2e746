//! `npm run test:console`: what operators do all day, in a real browser against a whole set, timed;
//! every screen by day, by night and on a phone; what strangers may not do; how much is loaded.
//! `--quick` plays the stories of every day only; `--screenshots DIR` keeps the pictures there.
import { mkdtempSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsole } from './build.ts';
import { CHECKS, type Check, STORIES } from './checks.ts';
import { Endless, within } from './endless.ts';
import { Stage } from './stage.ts';

const STORY_MS_MAX = 60_000;
/** What has not ended by then never will: a browser does not give up by itself everywhere. */
const ENDLESS_MS = 90_000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      screenshots: { type: 'string' },
      /** Only what this matches by its name; screens need what stories leave behind. */
      only: { type: 'string', default: '' },
    },
  });
  const isWanted = ({ name, isQuick }: Check) =>
    (!values.quick || isQuick === true) && new RegExp(values.only).test(name);
  const pictures = resolve(
    values.screenshots ?? mkdtempSync(join(tmpdir(), 'holdfast-console-screens-')),
  );
  say(`load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`);
  await timed('the console is built', async () => buildConsole());
  const stage = await timed('the set has started', () => Stage.open(pictures));
  try {
    if (!values.quick) await timed('the demo marketplace stands', () => stage.seed());
    const stories = await playAll(stage, STORIES.filter(isWanted), STORY_MS_MAX);
    const others = await playAll(stage, CHECKS.filter(isWanted), Number.POSITIVE_INFINITY);
    const all = [...stories, ...others];
    const failed = all.filter((isRight) => !isRight).length;
    if (!values.quick) say(`screenshots: ${pictures}`);
    say(`${all.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
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

async function playAll(stage: Stage, checks: readonly Check[], msMax: number): Promise<boolean[]> {
  const ends: boolean[] = [];
  for (const check of checks) ends.push(await play(stage, check, msMax, true));
  return ends;
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

process.exitCode = await main();
