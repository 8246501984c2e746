//! The sequencer: takes the lead of shards by advisory lock and gives what waits there its place.
//!
//! Every write goes over the session that holds the locks. Whoever loses the session loses lock and
//! transaction together, so two leaders of one shard can't exist, however long one was frozen.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@holdfast/kernel/clock';
import { systemRandom } from '@holdfast/kernel/random';
import pg from 'pg';
import type { Log } from '../platform/log.ts';
import type { Ringer } from './bell.ts';
import { newLeader, sequenceBatch } from './sequence-batch.ts';
import { SHARDS } from './waiting.ts';

export interface SequencerParts {
  /** Logs in as, or takes on, the role holdfast_sequencer. */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly ringer: Ringer;
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
 * A session that says nothing for this long is ended by the server: a frozen leader loses its lead,
 * a vanished one too. The loop below speaks far more often.
 */
const SILENCE_MS_MAX = 1500;

export const SEQUENCER_SESSION: readonly string[] = [
  `idle_session_timeout=${SILENCE_MS_MAX}`,
  `idle_in_transaction_session_timeout=${SILENCE_MS_MAX}`,
  'tcp_keepalives_idle=1',
  'tcp_keepalives_interval=1',
  'tcp_keepalives_count=2',
  // The outbox is empty or full from one moment to the next; statistics of it are always wrong.
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_seqscan=off',
];

export function runSequencer(parts: SequencerParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = runUntil(parts, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function runUntil(parts: SequencerParts, stopping: AbortSignal): Promise<void> {
  // A session with nothing to say would only be ended for its silence.
  while (!stopping.aborted && parts.shardsMax > 0) {
    const client = new pg.Client({
      ...parts.connection,
      application_name: `holdfast sequencer ${process.pid}`,
    });
    // Without this a lost connection would end the process.
    client.on('error', (error) => parts.log.warn({ reason: error.message }, 'lose connection'));
    try {
      await client.connect();
      await lead(parts, client, stopping);
    } catch (error) {
      parts.log.warn({ reason: (error as Error).message }, 'lose lead');
      await pause(RECONNECT_MS, stopping);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Until told to stop; throws when the session is lost. */
async function lead(
  { clock, log, ringer, shardsMax }: SequencerParts,
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
        // What waited in them may be old.
        leader.floor.reset();
        log.info({ shards: shards.toSorted((one, other) => one - other) }, 'lead shards');
      }
    }
    if (shards.length === 0) {
      await pause(CLAIM_EVERY_MS, stopping);
      continue;
    }
    const { placed, notices } = await sequenceBatch(leader, BATCH_MAX);
    if (leader.stuck.size > 0 && performance.now() - retriedAt >= STUCK_RETRY_MS) {
      retriedAt = performance.now();
      for (const [marketplace, { message }] of leader.stuck)
        log.error({ marketplace, reason: message }, 'meet event that has no place');
      leader.stuck.clear();
      leader.floor.reset();
    }
    if (notices.length > 0) await ringer.ring(client, notices);
    if (placed === BATCH_MAX) continue;
    pauseMs = placed > 0 ? BUSY_PAUSE_MS : Math.min(IDLE_PAUSE_MS_MAX, pauseMs * 1.5);
    await pause(pauseMs, stopping);
  }
}

/**
 * Tries for shards nobody leads, in no particular order, so that workers share them out. Goes on
 * until it has enough or has tried all: a shard that is free must not wait for a lucky draw.
 */
async function claim(client: pg.Client, led: readonly number[], atMost: number): Promise<number[]> {
  const left = shuffled(
    Array.from({ length: SHARDS }, (_, shard) => shard).filter((shard) => !led.includes(shard)),
  );
  const won: number[] = [];
  while (won.length < atMost && left.length > 0) {
    // Never more at once than it may lead: every lock that is free is won.
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
  const chance = new Uint8Array(shards.length);
  systemRandom.fill(chance);
  return shards
    .map((shard, at) => ({ shard, order: chance[at] as number }))
    .sort((one, other) => one.order - other.order)
    .map(({ shard }) => shard);
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined);
}
