//! `npm run test:quickstart`: runs the README's commands, timed, in an empty folder from packed
//! tarballs. Once with the PostgreSQL that npm brings, once with a DATABASE_URL. With --quick only
//! the first, without a registry: the tarballs are unpacked beside the packages of this repository.
import { mkdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { findPostgres, type LocalPostgres } from '../../../apps/cli/src/local-postgres.ts';
import { freePorts } from '../../../apps/cli/src/local-restate.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { pack } from '../../../tools/pack.ts';
import { flag } from '../../harness/options.ts';
import { print, secondsText } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { installHere } from './install-here.ts';
import { type Quickstart, readQuickstart } from './readme.ts';
import { runScenario, type ScenarioResult } from './scenario.ts';
import { createPath, openTerminal, userEnvironment } from './shell.ts';

const RELEASED_MS_MAX = 60_000;
const WEBHOOK_MS_MAX = 300_000;
const STOP_MS_MAX = 10_000;
const INSTALL_MS_MAX = 300_000;
const WORDS_A_MINUTE = 200;

const options = { quick: flag('only the PostgreSQL that npm brings, and without a registry') };

const seconds = (ms: number) => secondsText(ms).padStart(9);

async function testQuickstart({ quick }: { readonly quick: boolean }): Promise<string[]> {
  const quickstart = readQuickstart(
    readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8'),
  );
  await using cleanup = new AsyncDisposableStack();
  const { path: home } = cleanup.use(createTemporaryFolder('holdfast-quickstart'));
  const postgres = await findPostgres(process.env['DATABASE_URL']);
  cleanup.defer(() => postgres.stop());
  const tarballs = await pack(join(home, 'tarballs'));
  const path = createPath(join(home, 'bin'));
  if (!quick) await warmCache(join(home, 'warm'), path, tarballs);
  const wrong: string[] = [];
  for (const [name, env] of environments(postgres).slice(0, quick ? 1 : 2)) {
    const folder = join(home, name);
    mkdirSync(folder);
    const install = quick
      ? () => installHere(folder, tarballs)
      : `npm install --prefer-offline --loglevel=error ${tarballs.join(' ')}`;
    const onStep = (line: string, ms: number) => print(`${seconds(ms)}  ${line}`);
    print(`\n── ${name} (load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores)`);
    const [port, handlerPort] = (await freePorts(2)) as [number, number];
    const own = userEnvironment(path, { ...env, HOLDFAST_DEV_PORT: String(port) });
    const workspace = { folder, env: own, install, handlerPort, onStep };
    wrong.push(...report(name, await runScenario(quickstart.steps, workspace), quickstart));
  }
  return wrong;
}

function environments({ adminUrl }: LocalPostgres): [name: string, env: Record<string, string>][] {
  return [
    // Explicit, because this machine may have a PostgreSQL that would be found.
    ['embedded', { HOLDFAST_DEV_POSTGRES: 'embedded' }],
    ['database-url', { DATABASE_URL: adminUrl }],
  ];
}

/** Fills npm's cache as an earlier install would; the tarballs' dependencies are the same. */
async function warmCache(folder: string, path: string, tarballs: readonly string[]): Promise<void> {
  mkdirSync(folder);
  const line = `npm install --ignore-scripts --loglevel=error ${tarballs.join(' ')}`;
  const startedAt = performance.now();
  await openTerminal(line, { folder, env: userEnvironment(path, {}) }).ends(INSTALL_MS_MAX);
  print(`${seconds(performance.now() - startedAt)}  npm's cache is warm`);
}

function report(name: string, result: ScenarioResult, { words }: Quickstart): string[] {
  const readingMs = (words / WORDS_A_MINUTE) * 60_000;
  print(`${seconds(result.releasedMs)}  = from holdfast dev to the first released escrow (60 s)`);
  print(`${seconds(result.webhookMs)}  = from holdfast dev to the first event in the own handler`);
  print(`${seconds(readingMs)}  + to read ${words} words (300 s together)`);
  print(`${seconds(result.stopMs)}  = from Ctrl-C to the end (10 s)`);
  const limits: [ms: number, max: number, what: string][] = [
    [result.releasedMs, RELEASED_MS_MAX, 'the first released escrow'],
    [result.webhookMs + readingMs, WEBHOOK_MS_MAX, 'the first webhook'],
    [result.stopMs, STOP_MS_MAX, 'Ctrl-C'],
  ];
  const late = limits
    .filter(([ms, max]) => ms > max)
    .map(([ms, max, what]) => `${name}: ${what} took ${seconds(ms).trim()}, not ${max / 1000} s`);
  return result.left === 0 ? late : [...late, `${name}: ${result.left} processes outlived Ctrl-C`];
}

await runHarness({ name: 'npm run test:quickstart', options }, testQuickstart);
