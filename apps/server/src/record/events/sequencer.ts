//! The sequencer: takes the lead of shards by advisory lock and sequences their waiting rows.
//!
//! Every write goes over the session that holds the locks. A leader that loses the session loses
//! lock and transaction together. So two leaders of one shard cannot exist, however long one was
//! frozen.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@holdfast/kernel/clock';
import { systemRandom } from '@holdfast/kernel/random';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { DatabaseClient } from '../../platform/database/database-client.ts';
import type { Row } from '../../platform/database/row.ts';
import { EVENT_SEQUENCING_FAILED } from '../../platform/process/alarms.ts';
import type { Log } from '../../platform/process/log.ts';
import type { Notifier } from './notifier.ts';
import { SHARDS } from './outbox-item.ts';
import { newLeader, sequenceBatch } from './sequence-batch.ts';

export interface SequencerDeps {
  /** Logs in as, or switches to, the role holdfast_sequencer. */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly notifier: Notifier;
  /** How many shards this worker leads at most. */
  readonly shardsMax: number;
}

export const BATCH_MAX = 1000;
/** Half of the number in `pg_locks`; the other half is the shard. */
const LOCK_CLASS = 1_936_093_553;
const CLAIM_EVERY_MS = 300;
const BUSY_PAUSE_MS = 4;
const IDLE_PAUSE_MS_MAX = 40;
const RECONNECT_MS = 200;
const STUCK_RETRY_MS = 10_000;

/**
 * The server ends a session that is silent for this long, so that a frozen or vanished leader loses
 * its lead. The loop below sends far more often.
 */
const SILENCE_MS_MAX = 1500;

export const SEQUENCER_SESSION: readonly string[] = [
  `idle_session_timeout=${SILENCE_MS_MAX}`,
  `idle_in_transaction_session_timeout=${SILENCE_MS_MAX}`,
  'tcp_keepalives_idle=1',
  'tcp_keepalives_interval=1',
  'tcp_keepalives_count=2',
  // The outbox is empty or full from one moment to the next; its statistics are always wrong.
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_seqscan=off',
];

export function runSequencer(deps: SequencerDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = runUntil(deps, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function runUntil(deps: SequencerDeps, stopping: AbortSignal): Promise<void> {
  // An idle session would only be ended for its silence.
  while (!stopping.aborted && deps.shardsMax > 0) {
    const client = new DatabaseClient({
      ...deps.connection,
      application_name: `holdfast sequencer ${process.pid}`,
    });
    // Without this a lost connection would end the process.
    client.on('error', (error) => deps.log.warn({ err: error }, 'database connection lost'));
    try {
      await client.connect();
      await lead(deps, client, stopping);
    } catch (error) {
      deps.log.warn({ err: error }, 'sequencer leadership lost');
      await pause(RECONNECT_MS, stopping);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Runs until it is stopped; throws when the session is lost. */
async function lead(
  { clock, log, notifier, shardsMax }: SequencerDeps,
  client: pg.Client,
  stopping: AbortSignal,
): Promise<void> {
  const shards: number[] = [];
  const leader = newLeader({ client, clock, shards });
  let retriedAt = performance.now();
  let claimedAt = -CLAIM_EVERY_MS;
  let pauseMs = BUSY_PAUSE_MS;
  while (!stopping.aborted) {
    if (shards.length < shardsMax && performance.now() - claimedAt >= CLAIM_EVERY_MS) {
      claimedAt = performance.now();
      const won = await claim(client, shards, shardsMax - shards.length);
      shards.push(...won);
      if (won.length > 0) {
        // The rows waiting in them may be old.
        leader.floor.reset();
        log.info(
          { shards: shards.toSorted((one, other) => one - other) },
          'sequencer shards claimed',
        );
      }
    }
    if (shards.length === 0) {
      await pause(CLAIM_EVERY_MS, stopping);
      continue;
    }
    const { sequenced, notifications } = await sequenceBatch(leader, BATCH_MAX);
    if (leader.stuck.size > 0 && performance.now() - retriedAt >= STUCK_RETRY_MS) {
      retriedAt = performance.now();
      const ids = await publicIds(client, [...leader.stuck.keys()]);
      for (const [marketplace, err] of leader.stuck)
        log.error({ marketplaceId: ids.get(marketplace), err }, EVENT_SEQUENCING_FAILED);
      leader.stuck.clear();
      leader.floor.reset();
    }
    if (notifications.length > 0) await notifier.notify(client, notifications);
    if (sequenced === BATCH_MAX) continue;
    pauseMs = sequenced > 0 ? BUSY_PAUSE_MS : Math.min(IDLE_PAUSE_MS_MAX, pauseMs * 1.5);
    await pause(pauseMs, stopping);
  }
}

async function publicIds(client: pg.Client, marketplaces: readonly RowNumber[]) {
  const { rows } = await client.query<Row<'marketplace', 'id' | 'public_id'>>(
    'select id, public_id from marketplace where id = any ($1)',
    [marketplaces],
  );
  return new Map(rows.map((row) => [row.id, row.public_id]));
}

/**
 * Tries for shards without a leader, in random order, so that workers share them out. Continues
 * until it has enough or has tried all: a free shard must not wait for a lucky draw.
 */
async function claim(client: pg.Client, led: readonly number[], atMost: number): Promise<number[]> {
  const left = shuffled(
    Array.from({ length: SHARDS }, (_, shard) => shard).filter((shard) => !led.includes(shard)),
  );
  const won: number[] = [];
  while (won.length < atMost && left.length > 0) {
    // Never more at once than it may lead: every free lock is won.
    const tried = left.splice(0, atMost - won.length);
    const { rows } = await client.query<{ shard: number }>(
      `select shard from unnest($1::int[]) as shard
       where pg_try_advisory_lock(${LOCK_CLASS}, shard)`,
      [tried],
    );
    won.push(...rows.map(({ shard }) => shard));
  }
  return won;
}

function shuffled(shards: readonly number[]): number[] {
  const random = new Uint8Array(shards.length);
  systemRandom.fill(random);
  return shards
    .map((shard, at) => ({ shard, order: random[at] as number }))
    .sort((one, other) => one.order - other.order)
    .map(({ shard }) => shard);
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined);
}
