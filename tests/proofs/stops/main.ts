//! `npm run test:stops`: writers at two api processes move money of one marketplace while it is
//! stopped at each level in turn. After `settledAt` nothing of the level is committed in any
//! process, and after the lift everything continues.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Post, poster } from '../../harness/api.ts';
import { count, flag, type OptionsOf } from '../../harness/options.ts';
import {
  createMarketplace,
  leaveOnePlatformAdmin,
  marketplaceNumber,
} from '../../harness/people.ts';
import { print } from '../../harness/report.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { HIGH_LOAD, openSet } from '../../harness/set.ts';
import {
  liftStop,
  STOP_CODES,
  STOP_LEVELS,
  type StopLevel,
  stopMarketplace,
} from '../../harness/stops.ts';
import { within } from '../../harness/wait.ts';
import { type Call, KINDS, type Kind, startWriters, type Writers } from './writers.ts';

const options = {
  quick: flag('the short slice: one round'),
  rounds: count('stops of each level', { full: 20, quick: 1 }),
  writers: count('writers at once', { full: 64 }),
  millis: count('how long each stop stands, and how long it is lifted', { full: 1500, quick: 400 }),
  loud: flag('show the standard error of the processes'),
};
type StopOptions = OptionsOf<typeof options>;

/** The kinds that a level refuses. */
const STOPPED: Readonly<Record<StopLevel, readonly Kind[]>> = {
  PAYOUTS: ['withdrawal'],
  MONEY: KINDS,
  SIGNING: KINDS,
};
const CONTINUE_MS_MAX = 30_000;

interface Run {
  readonly options: StopOptions;
  readonly urls: readonly string[];
  readonly masterKey: string;
  readonly marketplaceId: string;
  readonly marketplace: string;
  readonly monitor: Pool;
  readonly writers: Writers;
}

async function testStops(options: StopOptions): Promise<string[]> {
  const env = {
    ...HIGH_LOAD,
    HOLDFAST_RATE_LIMIT: 'off',
    HOLDFAST_WITHDRAWALS_PER_USER: 'off',
    HOLDFAST_ADJUSTMENT_LIMIT: 'none',
  };
  await using set = await openSet({
    apis: 2,
    workers: 1,
    isSteady: true,
    isLoud: options.loud,
    env,
  });
  const { urls, monitor } = set;
  const { masterKey } = set.set.ready;
  await leaveOnePlatformAdmin(set.databaseUrl);
  const { id: marketplaceId, key: apiKey } = await createMarketplace(set.set.ready, 'stopped');
  const marketplace = await marketplaceNumber(monitor, marketplaceId);
  const post = poster({ api: set.api, apiKey });
  const writers = await startWriters({ urls, apiKey, post }, options.writers);
  const run = { options, urls, masterKey, marketplaceId, marketplace, monitor, writers };
  const wrong: string[] = [];
  for (let round = 0; round < options.rounds; round += 1)
    for (const level of STOP_LEVELS) wrong.push(...(await stopOnce(run, level, round)));
  await writers.stop();
  print(textOfCodes(writers.calls));
  return [...wrong, ...(await auditRun({ databaseUrl: set.databaseUrl, sandbox: set.sandbox }))];
}

async function stopOnce(run: Run, level: StopLevel, round: number): Promise<string[]> {
  const { options, writers } = run;
  await sleep(options.millis);
  const requestedAt = performance.now();
  const isSettled = await stopMarketplace(posterOf(run, round), run.marketplaceId, level);
  const settledAt = performance.now();
  const wrong: string[] = [];
  if (!isSettled) wrong.push(`${level}: no settledAt after five seconds`);
  const before = await countStarted(run, level);
  await sleep(options.millis);
  // On a busy machine a call may take longer than that: the stop stands until one was refused.
  const isRefused = ({ startedAt, code }: Call) =>
    startedAt > settledAt && code === STOP_CODES[level];
  await within(CONTINUE_MS_MAX, () => writers.since(settledAt).some(isRefused), 20);
  const after = await countStarted(run, level);
  if (after !== before) wrong.push(`${level}: ${before} became ${after} after settledAt`);
  const under = writers.since(settledAt).filter(({ startedAt }) => startedAt > settledAt);
  wrong.push(...wrongCalls(level, under));
  const liftedAt = performance.now();
  await liftStop(posterOf(run, round + 1), run.marketplaceId, level);
  const hasContinued = await within(
    CONTINUE_MS_MAX,
    () => KINDS.every((kind) => writers.since(liftedAt).some((one) => isDone(one, kind))),
    20,
  );
  if (!hasContinued) wrong.push(`${level}: not every kind of call continued after the lift`);
  const refused = under.filter(({ code }) => code === STOP_CODES[level]).length;
  print(
    `${level.padEnd(8)} settled in ${Math.round(settledAt - requestedAt)} ms, ` +
      `${refused} calls refused, ${under.filter((one) => one.isDone).length} of other kinds done, ` +
      `continued ${Math.round(performance.now() - liftedAt)} ms after the lift`,
  );
  return wrong;
}

const isDone = (one: Call, kind: Kind) => one.isDone && one.kind === kind;

/** A call that was sent after the stop had settled is refused, if the level stops its kind. */
function wrongCalls(level: StopLevel, calls: readonly Call[]): string[] {
  const stopped = calls.filter(({ kind }) => STOPPED[level].includes(kind));
  const done = stopped
    .filter((one) => one.isDone)
    .map(({ kind }) => `${level}: a ${kind} was done`);
  const refused = stopped.filter(({ code }) => code === STOP_CODES[level]);
  return refused.length === 0 ? [...done, `${level}: nothing was refused`] : done;
}

function posterOf({ urls, masterKey: apiKey }: Run, nth: number): Post {
  return poster({ api: urls[nth % urls.length] as string, apiKey });
}

/** Everything of the level that is in the tables: entries and withdrawals of calls, signatures. */
async function countStarted(run: Run, level: StopLevel): Promise<string> {
  const withdrawals = `select count(*) from audit where marketplace_id = $1
    and action in ('WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED')`;
  const entries = `select count(*) from audit where marketplace_id = $1
    and actor_type = 'API_KEY' and action ~ '^(BALANCE|RESERV|ORDER_(FUNDS|CANCELED))'`;
  const envelopes = 'select count(*) from envelope where marketplace_id = $1';
  const counted = { PAYOUTS: [withdrawals], MONEY: [withdrawals, entries] };
  const queries = level === 'SIGNING' ? [...counted.MONEY, envelopes] : counted[level];
  const { rows } = await run.monitor.query<{ counts: string }>(
    `select concat_ws(' ', ${queries.map((query) => `(${query})`).join(', ')}) as counts`,
    [run.marketplace],
  );
  return rows[0]?.counts ?? '';
}

function textOfCodes(calls: readonly Call[]): string {
  const codes = new Map<string, number>();
  for (const { isDone: done, code = 'no response' } of calls)
    codes.set(done ? 'done' : code, (codes.get(done ? 'done' : code) ?? 0) + 1);
  return [...codes].map(([code, times]) => `${code}: ${times}`).join(', ');
}

await runHarness({ name: 'npm run test:stops', options }, testStops);
