//! `npm run crash:books`: kills api processes under load; no request may be lost or doubled.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@holdfast/kernel/random';
import { Client } from 'pg';
import { type LocalSet, type ServerProcess, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { runAuditor } from '../auditor/run-auditor.ts';
import { checkBalances, checkJournal, checkReplays } from './checks.ts';
import { type Crowd, type Picker, runClient } from './client.ts';
import { appendHistory, type Balances, foldInto, type LogicalRequest } from './history.ts';
import { closeConnections, exchange } from './http.ts';
import { type CrashOptions, readOptions } from './options.ts';
import {
  type Figures,
  figuresOf,
  figuresText,
  roundText,
  type Strike,
  sum,
  violationsOf,
} from './report.ts';
import { endBackends, killApi } from './strike.ts';
import { startWatch } from './watch.ts';

const REPLAYS_OF_EACH = 40;
const say = (text: string) => process.stdout.write(text);

interface World {
  set: LocalSet;
  alive: ServerProcess[];
  monitor: Client;
  crowd: Crowd;
  expected: Balances;
  historyPath: string;
  figures?: Figures;
}

async function crashBooks(options: CrashOptions): Promise<number> {
  say(`seed ${options.seed}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-'));
  const historyPath = options.history ?? join(folder, 'history.jsonl');
  writeFileSync(historyPath, '');
  const env = { HOLDFAST_RATE_LIMIT: 'off' };
  const set = await startLocalSet({
    port: 0,
    apis: 2,
    sandbox: false,
    quiet: true,
    env,
  });
  const monitor = new Client({ connectionString: set.databaseUrl });
  try {
    await monitor.connect();
    const alive = [...set.apis];
    const crowd: Crowd = {
      urls: alive.map((api) => api.url),
      key: set.ready.apiKey,
      userIds: await createUsers(set, options.users),
      pick: pickerOf(options.seed),
      requests: [],
      tries: 0,
    };
    const world: World = { set, alive, monitor, crowd, historyPath, expected: new Map() };
    for (let round = 1; round <= options.rounds; round += 1) await runRound(world, options, round);
    const isAudited = await audit(set.databaseUrl, historyPath);
    if (world.figures === undefined) throw new Error('no round was run');
    const isSound = violationsOf(world.figures) === 0 && isAudited;
    say(`\n${figuresText(world.figures)}${isSound ? 'sound' : 'VIOLATIONS'}\n`);
    if (isSound) rmSync(folder, { recursive: true });
    else say(`history kept in ${historyPath}\n`);
    return isSound ? 0 : 1;
  } finally {
    closeConnections();
    await monitor.end().catch(() => undefined);
    await set.stop();
  }
}

async function runRound(world: World, options: CrashOptions, round: number): Promise<void> {
  const { crowd, monitor, expected } = world;
  crowd.requests = [];
  crowd.tries = 0;
  const fromEntry = await entryFloor(monitor);
  const strike = await loadAndStrike(world, options);
  const replays = await checkReplays(crowd, replaySample(crowd));
  foldInto(expected, crowd.requests);
  const wrong = await checkBalances(crowd, expected);
  const journal = await checkJournal(monitor, fromEntry, crowd.requests);
  appendHistory(world.historyPath, crowd.requests);
  const figures = figuresOf(crowd, strike, { replays, wrong, journal });
  world.figures = world.figures === undefined ? figures : sum(world.figures, figures);
  for (const fault of [...wrong, ...replays.faults].slice(0, 5)) say(`  ${fault}\n`);
  say(`round ${round}: ${roundText(figures)}\n`);
}

/** Load for the round's time, a strike in its first half, and the end of every request. */
async function loadAndStrike(world: World, options: CrashOptions): Promise<Strike> {
  const { crowd } = world;
  const watch = startWatch();
  crowd.answered = watch.answered;
  const endsAt = performance.now() + options.seconds * 1000;
  const isTimeUp = () => performance.now() > endsAt;
  let isStruck = false;
  const isOver = () => isTimeUp() && isStruck;
  const clients = Array.from({ length: options.clients }, () => runClient(crowd, isOver));
  await sleep(options.seconds * (100 + crowd.pick(400)));
  if (options.isPostgres) watch.struck(crowd.requests);
  const struck = options.isPostgres
    ? await endBackends(world.monitor, crowd.pick, isTimeUp)
    : await killApi(world.set, world.alive, crowd, watch);
  await sleep(300); // The successor is asked too, however late it came.
  isStruck = true;
  await Promise.all(clients);
  return { ...struck, times: watch.times };
}

/** Some of each kind of answer, and those that were interrupted before all others. */
function replaySample(crowd: Crowd): LogicalRequest[] {
  const some = (of: LogicalRequest[]) => of.slice(0, REPLAYS_OF_EACH);
  const settled = crowd.requests.filter((request) => request.answer !== undefined);
  const random = Array.from(
    { length: REPLAYS_OF_EACH },
    () => settled[crowd.pick(settled.length)],
  ).filter((request) => request !== undefined);
  const interrupted = some(settled.filter((request) => request.interruption !== undefined));
  const refused = some(settled.filter((request) => request.outcome === 'refused'));
  return [...new Set([...interrupted, ...refused, ...random])];
}

async function createUsers(set: LocalSet, users: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 1; at <= users; at += 1) {
    const headers = {
      authorization: `Bearer ${set.ready.apiKey}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ externalUserId: `crash-${at}` });
    const answer = await exchange(`${set.ready.api}/api/v1/users`, 'POST', headers, body);
    if (answer.status !== 201) throw new Error(`POST /users answered ${answer.status}`);
    const { data } = JSON.parse(answer.body.toString()) as { data: { data: { id: string } } };
    ids.push(data.data.id);
  }
  return ids;
}

async function entryFloor(monitor: Client): Promise<string> {
  const { rows } = await monitor.query<{ floor: string }>(
    'select books.entry_id_floor(clock_timestamp()) as floor',
  );
  return rows[0]?.floor ?? '0';
}

function pickerOf(seed: number): Picker {
  const random = seededRandom(seed);
  const bytes = new Uint32Array(1);
  return (bound) => {
    random.fill(new Uint8Array(bytes.buffer));
    return (bytes[0] ?? 0) % bound;
  };
}

async function audit(databaseUrl: string, historyPath: string): Promise<boolean> {
  const options = ['--database', databaseUrl, '--history', historyPath];
  const { said, summary, isClean } = await runAuditor(options);
  say(`${said}auditor: ${summary}\n`);
  return isClean;
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await crashBooks(options);
