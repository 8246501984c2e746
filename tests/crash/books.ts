//! `npm run crash:books`: kills api processes under load; no request may be lost or doubled.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { poster } from '../harness/api.ts';
import { chanceOf } from '../harness/chance.ts';
import { makeUsers } from '../harness/people.ts';
import { say } from '../harness/report.ts';
import { auditRun, runHarness } from '../harness/run.ts';
import { type OpenSet, openStage } from '../harness/set.ts';
import { checkBalances, checkJournal, checkReplays } from './checks.ts';
import { type Crowd, runClient } from './client.ts';
import { appendHistory, type Balances, foldInto, type LogicalRequest } from './history.ts';
import { COMMAND, type CrashOptions } from './options.ts';
import {
  type Figures,
  figuresOf,
  roundText,
  type Strike,
  sum,
  totalText,
  violationsOf,
} from './report.ts';
import { endBackends, killApi } from './strike.ts';
import { startWatch } from './watch.ts';

const REPLAYS_OF_EACH = 40;

interface World extends OpenSet {
  readonly crowd: Crowd;
  readonly expected: Balances;
  readonly historyPath: string;
  figures?: Figures;
}

async function crashBooks(options: CrashOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-'));
  const historyPath = options.history ?? join(folder, 'history.jsonl');
  writeFileSync(historyPath, '');
  const env = { HOLDFAST_RATE_LIMIT: 'off' };
  // Only one looks at the tables: others would be among those that are ended.
  const wishes = { apis: 2, sandbox: 'none', monitors: 1, env } as const;
  const world: World & { stop(): Promise<void> } = await openStage(wishes, async (set) => ({
    crowd: {
      urls: [...set.urls],
      key: set.apiKey,
      userIds: await makeUsers(poster(set), 'crash', options.users),
      chance: chanceOf(options.seed, 1),
      requests: [],
      tries: 0,
    },
    expected: new Map(),
    historyPath,
  }));
  try {
    for (let round = 1; round <= options.rounds; round += 1) await runRound(world, options, round);
    const faults = await auditRun({ ...world, history: historyPath });
    if (world.figures === undefined) throw new Error('no round was run');
    say(`\n${totalText(world.figures)}`);
    const wrong = [...violationsOf(world.figures), ...faults];
    if (wrong.length === 0) rmSync(folder, { recursive: true });
    else say(`history kept in ${historyPath}`);
    return wrong;
  } finally {
    await world.stop();
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
  for (const fault of [...wrong, ...replays.faults].slice(0, 5)) say(`  ${fault}`);
  say(`round ${round}: ${roundText(figures)}`);
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
  await sleep(options.seconds * (100 + crowd.chance.below(400)));
  if (options.postgres) watch.struck(crowd.requests);
  const struck = options.postgres
    ? await endBackends(world.monitor, crowd.chance, isTimeUp)
    : await killApi(world, crowd, watch);
  await sleep(300); // The successor is asked too, however late it came.
  isStruck = true;
  await Promise.all(clients);
  return { ...struck, times: watch.times };
}

/** Some of each kind of answer, and those that were interrupted before all others. */
function replaySample(crowd: Crowd): LogicalRequest[] {
  const some = (of: LogicalRequest[]) => of.slice(0, REPLAYS_OF_EACH);
  const settled = crowd.requests.filter((request) => request.answer !== undefined);
  const random = some(crowd.chance.shuffled(settled));
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
