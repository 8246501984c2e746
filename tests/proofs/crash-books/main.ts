//! `npm run crash:books`: kills api processes under load; no request may be lost or doubled.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { poster } from '../../harness/api.ts';
import { createUsers } from '../../harness/people.ts';
import { randomOf } from '../../harness/random.ts';
import { print } from '../../harness/report.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { type OpenSet, openEnvironment } from '../../harness/set.ts';
import { checkBalances, checkJournal, checkReplays } from './checks.ts';
import { type ClientGroup, runClient } from './client.ts';
import { endBackends, killApi } from './disrupt.ts';
import { appendHistory, applyRequests, type Balances, type LogicalRequest } from './history.ts';
import { COMMAND, type CrashOptions } from './options.ts';
import {
  type Disruption,
  type Figures,
  figuresOf,
  roundText,
  sum,
  totalText,
  violationsOf,
} from './report.ts';
import { startWatch } from './watch.ts';

const REPLAYS_OF_EACH = 40;

interface World extends OpenSet {
  readonly group: ClientGroup;
  readonly expected: Balances;
  readonly historyPath: string;
  figures?: Figures;
}

async function crashBooks(options: CrashOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-'));
  const historyPath = options.history ?? join(folder, 'history.jsonl');
  writeFileSync(historyPath, '');
  const env = { HOLDFAST_RATE_LIMIT: 'off' };
  // Only one monitor connection reads the tables: more would be among those that are ended.
  const setOptions = { apis: 2, sandbox: 'none', monitors: 1, env } as const;
  await using world: World & AsyncDisposable = await openEnvironment(setOptions, async (set) => ({
    group: {
      urls: [...set.urls],
      key: set.apiKey,
      userIds: await createUsers(poster(set), 'crash', options.users),
      random: randomOf(options.seed, 1),
      requests: [],
      tries: 0,
    },
    expected: new Map(),
    historyPath,
  }));
  for (let round = 1; round <= options.rounds; round += 1) await runRound(world, options, round);
  const faults = await auditRun({ ...world, history: historyPath });
  if (world.figures === undefined) throw new Error('no round was run');
  print(`\n${totalText(world.figures)}`);
  const wrong = [...violationsOf(world.figures), ...faults];
  if (wrong.length === 0) rmSync(folder, { recursive: true });
  else print(`history stored in ${historyPath}`);
  return wrong;
}

async function runRound(world: World, options: CrashOptions, round: number): Promise<void> {
  const { group, monitor, expected } = world;
  group.requests = [];
  group.tries = 0;
  const fromEntry = await entryFloor(monitor);
  const disruption = await loadAndDisrupt(world, options);
  const replays = await checkReplays(group, replaySample(group));
  applyRequests(expected, group.requests);
  const wrong = await checkBalances(group, expected);
  const journal = await checkJournal(monitor, fromEntry, group.requests);
  appendHistory(world.historyPath, group.requests);
  const figures = figuresOf(group, disruption, { replays, wrong, journal });
  world.figures = world.figures === undefined ? figures : sum(world.figures, figures);
  for (const fault of [...wrong, ...replays.faults].slice(0, 5)) print(`  ${fault}`);
  print(`round ${round}: ${roundText(figures)}`);
}

/** Load for the round's time, a disruption in its first half, and the end of every request. */
async function loadAndDisrupt(world: World, options: CrashOptions): Promise<Disruption> {
  const { group } = world;
  const watch = startWatch();
  group.onResponse = watch.onResponse;
  const endsAt = performance.now() + options.seconds * 1000;
  const isTimeUp = () => performance.now() > endsAt;
  let isDisrupted = false;
  const isOver = () => isTimeUp() && isDisrupted;
  const clients = Array.from({ length: options.clients }, () => runClient(group, isOver));
  await sleep(options.seconds * (100 + group.random.below(400)));
  if (options.postgres) watch.onDisruption(group.requests);
  const disrupted = options.postgres
    ? await endBackends(world.monitor, group.random, isTimeUp)
    : await killApi(world, group, watch);
  await sleep(300); // The successor gets requests too, even if it started late.
  isDisrupted = true;
  await Promise.all(clients);
  return { ...disrupted, times: watch.times };
}

/** A sample of each kind of response, interrupted requests first. */
function replaySample(group: ClientGroup): LogicalRequest[] {
  const some = (of: LogicalRequest[]) => of.slice(0, REPLAYS_OF_EACH);
  const settled = group.requests.filter((request) => request.response !== undefined);
  const random = some(group.random.shuffled(settled));
  const interrupted = some(settled.filter((request) => request.interruption !== undefined));
  const refused = some(settled.filter((request) => request.outcome === 'refused'));
  return [...new Set([...interrupted, ...refused, ...random])];
}

async function entryFloor(monitor: Pool): Promise<string> {
  const { rows } = await monitor.query<{ floor: string }>(
    'select books.entry_id_floor(clock_timestamp()) as floor',
  );
  return rows[0]?.floor ?? '0';
}

await runHarness(COMMAND, crashBooks);
