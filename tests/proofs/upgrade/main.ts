//! `npm run test:upgrade`: the previous release serves at a steady rate while the database is
//! migrated; then its processes are replaced one by one, and replaced back. No call fails, and none
//! waits longer than a stall may last.
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolderInCache } from '../../../tools/pack/check-out.ts';
import { print, secondsSince, secondsText, tally, timesText } from '../../harness/report.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { type Builds, buildReleases, buildThisTree, findPrevious } from './builds.ts';
import type { CallResult } from './load.ts';
import { options, type UpgradeOptions } from './options.ts';
import { openUpgrade, type Upgrade } from './set.ts';
import { watchTableWaits } from './table-waits.ts';
import { stallWithoutLimits } from './without-limits.ts';

async function testUpgrade(options: UpgradeOptions): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(createFolderInCache('upgrade'));
  const { previous, next } = await build(folder.path, options);
  const upgrade = cleanup.use(await openUpgrade(previous, options));
  const { load } = upgrade;
  const waits = cleanup.use(await watchTableWaits(upgrade.set.databaseUrl));
  const wrong: string[] = [];
  const during = async (name: string, work: () => Promise<void>) => {
    const from = performance.now();
    waits.takeLongest();
    await work();
    const results = load.results.filter(({ endedAt }) => endedAt >= from);
    const waitedMs = waits.takeLongest();
    const line = lineOf(name, performance.now() - from, results);
    print(`${line}; for a table ${waitedMs.toFixed(0)} ms`);
    wrong.push(...faultsOf(name, results));
    // Beside the rest of the check, calls wait for the machine.
    const stallMs = options.quick ? waitedMs : Math.max(waitedMs, ...timesOf(results));
    if (stallMs > options.stall) wrong.push(`${name}: a call waited ${stallMs.toFixed(0)} ms`);
  };
  const serve = () => sleep(options.seconds * 1000);
  await during('previous release', serve);
  wrong.push(...(await upgrade.refusals(next)));
  await during('migrate', () => upgrade.migrate(next));
  await during('roll to the next release', () => upgrade.roll(next));
  await during('next release', serve);
  await during('roll back', () => upgrade.roll(previous));
  await during('previous release, newer schema', serve);
  await upgrade.migrateBack(previous);
  wrong.push(...(await checkDetection(upgrade, options.stall)));
  await load.stop();
  const { databaseUrl, sandbox } = upgrade.set;
  return [...wrong, ...(await auditRun({ databaseUrl, sandbox }))];
}

async function build(folder: string, { quick, previous }: UpgradeOptions): Promise<Builds> {
  const startedAt = performance.now();
  const given = previous === undefined ? findPrevious() : { commit: previous, text: previous };
  const isThisTree = quick && previous === undefined;
  const builds = isThisTree ? await buildThisTree(folder) : buildReleases(folder, given.commit);
  const from = isThisTree ? 'this tree' : given.text;
  print(`from ${from} to this tree with rehearsed migrations (${secondsSince(startedAt)})`);
  return builds;
}

/** Nothing is refused either: the clients do what they may. */
function faultsOf(name: string, results: readonly CallResult[]): string[] {
  const failed = results.filter(({ status }) => status === undefined || status >= 400);
  const texts = tally(failed.map((one) => one.text));
  return [
    ...texts.map(([text, times]) => `${name}: ${text} (${times} times)`),
    ...(results.length === 0 ? [`${name}: no call got a response`] : []),
  ];
}

function timesOf(results: readonly CallResult[]): number[] {
  return results
    .filter(({ hasProvider }) => !hasProvider)
    .map(({ startedAt, endedAt }) => endedAt - startedAt);
}

function lineOf(name: string, ms: number, results: readonly CallResult[]): string {
  const rate = `${((results.length * 1000) / ms).toFixed(0)}/s`;
  const times = timesText(timesOf(results), 0.5, 0.99, 1);
  return `${name.padEnd(30)} ${secondsText(ms).padStart(7)}, ${results.length} calls (${rate}), ${times}`;
}

/** A rehearsal that could not detect a stall would pass with any migration. */
async function checkDetection({ load, set }: Upgrade, stallMs: number): Promise<string[]> {
  const from = performance.now();
  await stallWithoutLimits(set.databaseUrl, stallMs + 1000);
  const results = load.results.filter(({ endedAt }) => endedAt >= from);
  print(lineOf('the same, without limits', performance.now() - from, results));
  const isDetected = Math.max(0, ...timesOf(results)) > stallMs;
  return isDetected ? [] : ['a migration that waits for a lock without a limit was not detected'];
}

await runHarness({ name: 'npm run test:upgrade', options }, testUpgrade);
