//! The sequencer against its writers: how fast events are written, how fast they are sequenced,
//! and whether it keeps up with writers at full speed on the same machine.
import { Client } from 'pg';
import { print, tableText } from '../../tests/harness/report.ts';
import { within } from '../../tests/harness/wait.ts';
import { grouped, type Percentiles } from '../harness/figures.ts';
import { type PgbenchResult, runPgbench } from '../harness/pgbench.ts';
import { startProfile } from '../harness/profile.ts';
import {
  describeUsage,
  type Monitor,
  secondsOf,
  type Usage,
  watchUsage,
} from '../harness/usage.ts';
import { joinOutcomes, type Outcome } from '../harness/verdict.ts';
import { lagsOf, loggedCount, waitingCount, watchHeads } from './log-heads.ts';
import type { EventsOptions } from './options.ts';
import { balanceCase, type OutboxCase, payloadCase } from './outbox-cases.ts';
import { type EventsSet, openEventsSet } from './set.ts';

/** Sequencing alone as a ratio to writing alone, and sequencing while the writers write. */
const DRAIN_TARGET = 1;
const THROUGHPUT_TARGET = 0.95;
const POLL_MS = 20;
const DRAIN_MS_MAX = 300_000;

interface Drain {
  perSecond: number;
  events: number;
  usage: Usage;
}

interface Race {
  clients: number;
  /** With a snapshot of before kept open, as a backup does: no dead row can be cleared. */
  isHeld: boolean;
  inserted: PgbenchResult;
  /** While the writers wrote. */
  sequenced: number;
  waiting: number;
  caughtUpMs: number;
  lag: Percentiles;
}

export async function measureSequencer(options: EventsOptions): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const openCase of [payloadCase, balanceCase]) {
    // A database each, so that neither pays for what the other left behind.
    await using set = await openEventsSet();
    outcomes.push(await measureCase(set, await openCase(set), options));
  }
  return joinOutcomes(outcomes);
}

async function measureCase(
  set: EventsSet,
  outbox: OutboxCase,
  options: EventsOptions,
): Promise<Outcome> {
  print(`${outbox.name}\n`);
  const bare: PgbenchResult[] = [];
  for (const clients of options.writers) {
    const load = { clients, seconds: options.seconds, ...outbox };
    const result = await runPgbench(set, load);
    bare.push(result);
    print(
      `${clients} writers alone: ${grouped(result.perSecond)} events/s  (${describeUsage(result.usage)})`,
    );
  }
  const missing = options.backlog - (await waitingCount(set.monitor));
  if (missing > 0) await outbox.fill(set.monitor, missing);
  const worker = await set.set.startWorker();
  const drain = await measureDrain(set, worker.pid, options.profile);
  print(
    `sequencer alone, ${grouped(drain.events)} waiting: ${grouped(drain.perSecond)} events/s  ` +
      `(${describeUsage(drain.usage)})`,
  );
  const races: Race[] = [];
  for (const isHeld of [false, true]) {
    for (const clients of options.writers) {
      const run = { clients, isHeld, worker: worker.pid, seconds: options.seconds };
      const race = await measureRace(set, outbox, run);
      races.push(race);
      print(`${nameOf(race)} and the sequencer: (${describeUsage(race.inserted.usage)})`);
    }
  }
  print(`\n${tableOf(bare, drain, races)}`);
  return { targets: targetsOf(outbox.name, bare, drain, races), faults: await findHoles(set) };
}

/** The slowest against the fastest: the sequencer must keep up with any of the writers. */
function targetsOf(
  name: string,
  bare: readonly PgbenchResult[],
  drain: Drain,
  races: readonly Race[],
): Outcome['targets'] {
  const drained = drain.perSecond / Math.max(...bare.map((result) => result.perSecond));
  const throughputRatio = Math.min(
    ...races.map((race) => race.sequenced / race.inserted.transactions),
  );
  return [
    {
      name: `${name}: rate of the sequencer alone to the rate of the writers alone`,
      figure: drained,
      least: DRAIN_TARGET,
    },
    {
      name: `${name}: events sequenced to events written`,
      figure: throughputRatio,
      least: THROUGHPUT_TARGET,
    },
  ];
}

/** From the first event that was given its place to the last. */
async function measureDrain(
  { monitor }: EventsSet,
  worker: number,
  isProfiled: boolean,
): Promise<Drain> {
  const before = await loggedCount(monitor);
  await within(DRAIN_MS_MAX, async () => (await loggedCount(monitor)) > before, POLL_MS);
  const endProfile = isProfiled ? await startProfile(worker) : undefined;
  const first = await loggedCount(monitor);
  const stopWatching = await watchUsage(monitor, { worker });
  await untilEmpty(monitor);
  const usage = stopWatching();
  if (endProfile !== undefined) print(await endProfile(usage.window));
  const events = (await loggedCount(monitor)) - first;
  return { perSecond: events / secondsOf(usage), events, usage };
}

/** Until nothing waits any more. */
async function untilEmpty(monitor: Monitor): Promise<void> {
  const isEmpty = async () => {
    const { rows } = await monitor.query<{ is_empty: boolean }>(
      'select not exists (select from outbox) as is_empty',
    );
    return rows[0]?.is_empty === true;
  };
  if (!(await within(DRAIN_MS_MAX, isEmpty, POLL_MS)))
    throw new Error('the sequencer did not empty the outbox in time');
}

async function measureRace(
  set: EventsSet,
  outbox: OutboxCase,
  run: { clients: number; isHeld: boolean; worker: number; seconds: number },
): Promise<Race> {
  const { clients, isHeld, worker, seconds } = run;
  const { monitor } = set;
  const heads = await watchHeads(set.databaseUrl);
  const before = await loggedCount(monitor);
  const since = await clock(set);
  const release = isHeld ? await holdSnapshot(set) : undefined;
  const inserted = await runPgbench(set, { clients, seconds, ...outbox, pids: { worker } });
  const until = await clock(set);
  const sequenced = (await loggedCount(monitor)) - before;
  const ended = performance.now();
  await untilEmpty(monitor);
  const caughtUpMs = performance.now() - ended;
  await release?.();
  const snapshots = await heads.stop();
  const lag = await lagsOf(monitor, snapshots, { ...outbox.written, since, until });
  const waiting = Math.max(0, inserted.transactions - sequenced);
  return { clients, isHeld, inserted, sequenced, waiting, caughtUpMs, lag };
}

async function holdSnapshot({ databaseUrl }: EventsSet): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin isolation level repeatable read read only');
  await client.query('select count(*) from marketplace');
  return () => client.end();
}

function nameOf({ clients, isHeld }: Race): string {
  return `${clients} writers${isHeld ? ', an old snapshot open' : ''}`;
}

function tableOf(bare: readonly PgbenchResult[], drain: Drain, races: readonly Race[]): string {
  const head = [
    ...['', 'alone/s', 'drain ratio', 'written/s', 'written', 'sequenced', 'keep-up'],
    ...['lag p50 ms', 'p99', 'max', 'left over', 'caught up ms'],
  ];
  const rows = races.map((race, at) => {
    const alone = bare[at % bare.length]?.perSecond ?? 0;
    return [
      nameOf(race),
      grouped(alone),
      (drain.perSecond / alone).toFixed(2),
      grouped(race.inserted.perSecond),
      grouped(race.inserted.transactions),
      grouped(race.sequenced),
      (race.sequenced / race.inserted.transactions).toFixed(3),
      race.lag.p50.toFixed(0),
      race.lag.p99.toFixed(0),
      race.lag.max.toFixed(0),
      grouped(race.waiting),
      race.caughtUpMs.toFixed(0),
    ];
  });
  const note =
    'drain ratio: events/s of the sequencer alone to those of the writers alone; keep-up: sequenced ' +
    'to written\nwhile both ran; lag: from the write, its commit included, to its position in the log ' +
    'being visible';
  return `${tableText([head, ...rows])}${note}`;
}

/** After every measurement, no position may be missing or taken twice. */
async function findHoles({ monitor }: EventsSet): Promise<string[]> {
  const { rows } = await monitor.query<{ broken: number }>(
    `select count(*)::int as broken from (
       select h.marketplace_id from event_head h
       left join event ev on ev.marketplace_id = h.marketplace_id
       group by h.marketplace_id, h.position
       having count(ev.position) <> h.position or coalesce(max(ev.position), 0) <> h.position
         or count(distinct ev.position) <> h.position) broken`,
  );
  return rows[0]?.broken === 0 ? [] : [`${rows[0]?.broken} logs are not whole`];
}

async function clock({ monitor }: EventsSet): Promise<number> {
  const { rows } = await monitor.query<{ at: number }>(
    'select extract(epoch from clock_timestamp())::float8 as at',
  );
  return rows[0]?.at ?? 0;
}
