//! Reads the state of the database for the metrics of one worker. The session that reads holds a
//! lock, so a worker that loses it no longer leads, and another one takes over.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@holdfast/kernel/clock';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { DatabaseClient } from '../database/database-client.ts';
import type { Log } from '../process/log.ts';
import type { LeaderMetric } from './metric-table.ts';
import { type Reading, setReadings } from './metrics.ts';
import { OutboxAge } from './outbox-age.ts';

export interface ReadingsDeps {
  readonly config: Pick<Config, 'HOLDFAST_DURABILITY'>;
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly log: Log;
}

const LOCK = 1_952_804_965;
const EVERY_MS = 10_000;
const RECONNECT_MS = 1000;
/** The server ends the session of a leader that is silent for this long. */
const SILENCE_MS_MAX = 20_000;

export const READINGS_SESSION: readonly string[] = [
  `idle_session_timeout=${SILENCE_MS_MAX}`,
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
];

export function runReadings(
  deps: ReadingsDeps,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = runUntil(deps, everyMs, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function runUntil(deps: ReadingsDeps, everyMs: number, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const client = new DatabaseClient({
      ...deps.connection,
      application_name: `holdfast readings ${process.pid}`,
    });
    // Without this a lost connection would end the process.
    client.on('error', (error) => deps.log.warn({ err: error }, 'database connection lost'));
    try {
      await client.connect();
      await readUntil(deps, client, everyMs, stopping);
    } catch (error) {
      deps.log.warn({ err: error }, 'metric readings failed');
    } finally {
      setReadings(undefined);
      await client.end().catch(() => undefined);
    }
    await pause(RECONNECT_MS, stopping);
  }
}

/** Runs until it is stopped; throws when the session is lost. */
async function readUntil(
  { config, clock, log }: ReadingsDeps,
  client: pg.Client,
  everyMs: number,
  stopping: AbortSignal,
): Promise<void> {
  const outbox = new OutboxAge();
  let isLeader = false;
  while (!stopping.aborted) {
    if (!isLeader) {
      isLeader = await claim(client);
      if (isLeader) log.info({}, 'metric readings claimed');
    }
    if (isLeader) {
      const readings = await takeReadings(client, clock, outbox);
      setReadings([...readings, ...(await readDurability(client, config))]);
    }
    await pause(everyMs, stopping);
  }
}

async function claim(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ won: boolean }>(
    `select pg_try_advisory_lock(${LOCK}) as won`,
  );
  return rows[0]?.won === true;
}

interface ReadingRow {
  readonly metric: LeaderMetric;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Of all marketplaces together. */
export async function takeReadings(
  client: pg.Client,
  clock: Clock,
  outbox: OutboxAge,
): Promise<Reading[]> {
  const { rows } = await client.query<ReadingRow>({
    name: 'metric-readings',
    text: 'select metric, labels, value from work.metric_readings($1)',
    values: [new Date(clock.now()).toISOString()],
  });
  const waiting = await readOutbox(client);
  return [
    ...rows.map(({ metric: name, labels, value }) => ({ name, labels, value })),
    {
      name: 'holdfast_outbox_oldest_seconds',
      labels: {},
      value: outbox.seconds(waiting, performance.now()),
    },
  ];
}

interface DurabilityRow {
  readonly standbys: number;
  readonly lag: number;
  readonly is_failing: boolean;
  readonly archives: boolean;
}

/** What an alert needs of a deployment that promises it; another one has no such figure. */
export async function readDurability(
  client: pg.Client,
  { HOLDFAST_DURABILITY: wanted }: ReadingsDeps['config'],
): Promise<Reading[]> {
  const { rows } =
    await client.query<DurabilityRow>(`select sync_standbys as standbys, is_archive_failing as is_failing,
      greatest(0, extract(epoch from now() - coalesce(archived_at, pg_postmaster_start_time())))::float8
        as lag,
      current_setting('archive_mode') <> 'off' as archives
    from work.durability()`);
  const { standbys, lag, is_failing: isFailing, archives } = rows[0] as DurabilityRow;
  const reading = (name: LeaderMetric, value: number): Reading => ({ name, labels: {}, value });
  return [
    ...(wanted === 'standby' ? [reading('holdfast_sync_standbys', standbys)] : []),
    ...(archives
      ? [
          reading('holdfast_archive_lag_seconds', lag),
          reading('holdfast_archive_failing', isFailing ? 1 : 0),
        ]
      : []),
  ];
}

/** Only the sequencer reads the rows of all marketplaces; a worker may act as it. */
async function readOutbox(client: pg.Client): Promise<{ first: bigint; last: bigint } | undefined> {
  await client.query('begin; set local role holdfast_sequencer');
  try {
    const { rows } = await client.query<{ first: string | null; last: string | null }>(
      `select (select id from outbox order by id limit 1) as first,
        (select id from outbox order by id desc limit 1) as last`,
    );
    const { first, last } = rows[0] ?? {};
    return first && last ? { first: BigInt(first), last: BigInt(last) } : undefined;
  } finally {
    await client.query('commit');
  }
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined);
}
