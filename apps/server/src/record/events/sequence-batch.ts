//! One batch of the sequencer: gives waiting rows their position in the log and the audit chain.
//!
//! A snapshot shows only committed rows, and rows that it does not show yet come in a later batch,
//! so positions follow commits. Within a batch the outbox's own order applies. Two changes of one
//! resource have that order too, since each was made under the resource's lock.
import { createHash } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import { type Clock, microsText } from '@holdfast/kernel/clock';
import { type AuditId, type EventId, idAt, type UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import { isDatabaseAway, type RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { plainArray, quotedArray } from '../../platform/database/sql-array.ts';
import { type BalanceEvent, balancePayload } from './balance-payload.ts';
import { type LogHead, NO_HEAD, readHeads } from './event-head.ts';
import { OutboxFloor } from './outbox-floor.ts';
import { type OutboxItem, readOutbox } from './outbox-item.ts';

/** The only writer of the log while it lives: one session that holds the locks of its shards. */
export interface Leader {
  readonly client: pg.ClientBase;
  readonly clock: Clock;
  readonly shards: readonly number[];
  /** Heads as this leader left them. No other session moves them, so they need no second read. */
  readonly heads: Map<RowNumber, LogHead>;
  /**
   * Marketplaces with a row that cannot be sequenced, and why: theirs wait, all others continue.
   */
  readonly stuck: Map<RowNumber, Error>;
  readonly floor: OutboxFloor;
}

export function newLeader(deps: Pick<Leader, 'client' | 'clock' | 'shards'>): Leader {
  return { ...deps, heads: new Map(), stuck: new Map(), floor: new OutboxFloor() };
}

/** How far a marketplace's log reaches now. */
export interface LogNotification {
  readonly marketplace: RowNumber;
  readonly position: number;
}

interface SequencedRow {
  readonly number: RowNumber;
  readonly position: number | null;
  readonly occurredAt: string | null;
  readonly id: EventId | null;
  readonly payload: string | null;
}

interface Link {
  readonly marketplace: RowNumber;
  readonly position: number;
  readonly auditId: AuditId;
  readonly hash: string;
}

interface Batch {
  readonly sequenced: SequencedRow[];
  readonly links: Link[];
  readonly heads: Map<RowNumber, { before: LogHead; after: LogHead }>;
}

/** Another session wrote where only this leader may: the leader must start again. */
class LeadershipLost extends Error {}

export interface Sequenced {
  readonly sequenced: number;
  /** The logs that grew. */
  readonly notifications: readonly LogNotification[];
}

export async function sequenceBatch(leader: Leader, atMost: number): Promise<Sequenced> {
  const { client, shards, stuck, floor } = leader;
  await floor.check(client);
  const wanted = { shards, stuck: stuck.keys(), above: floor.number };
  const waiting = await readOutbox(client, wanted, atMost);
  const done = await sequenceAll(leader, waiting);
  // The rows that were left out lie below the sequenced ones.
  if (done.sequenced < waiting.length) floor.reset();
  else
    floor.sequenced(
      waiting.map(({ number }) => number),
      waiting.length < atMost,
    );
  return done;
}

async function sequenceAll(leader: Leader, waiting: readonly OutboxItem[]): Promise<Sequenced> {
  if (waiting.length === 0) return { sequenced: 0, notifications: [] };
  try {
    return await sequence(leader, waiting);
  } catch (error) {
    if (isTransient(error)) throw error;
    // A row is bad, and only its marketplace may wait.
    return sequenceOneByOne(leader, waiting);
  }
}

async function sequenceOneByOne(
  leader: Leader,
  waiting: readonly OutboxItem[],
): Promise<Sequenced> {
  let sequenced = 0;
  const notifications: LogNotification[] = [];
  for (const [marketplace, rows] of Map.groupBy(waiting, (row) => row.marketplace)) {
    try {
      const done = await sequence(leader, rows);
      sequenced += done.sequenced;
      notifications.push(...done.notifications);
    } catch (error) {
      if (isTransient(error)) throw error;
      leader.stuck.set(marketplace, error as Error);
    }
  }
  return { sequenced, notifications };
}

/**
 * Not a row's fault: the session, a lock, a time-out, lost leadership. The next try may succeed.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof LeadershipLost || isDatabaseAway(error)) return true;
  return /^(08|40|53|55|57)[0-9A-Z]{3}$/.test((error as { code?: string }).code ?? '');
}

async function sequence(leader: Leader, waiting: readonly OutboxItem[]): Promise<Sequenced> {
  await learnHeads(leader, waiting);
  const batch = assignPositions(leader, waiting);
  await leader.client.query('begin');
  try {
    await write(leader.client, batch);
    await leader.client.query('commit');
  } catch (error) {
    // The outcome is unknown: the next batch reads the heads from the database.
    leader.heads.clear();
    await leader.client.query('rollback').catch(() => undefined);
    throw error;
  }
  const notifications: LogNotification[] = [];
  for (const [marketplace, { before, after }] of batch.heads) {
    leader.heads.set(marketplace, after);
    if (after.position > before.position)
      notifications.push({ marketplace, position: after.position });
  }
  return { sequenced: waiting.length, notifications };
}

async function learnHeads(leader: Leader, waiting: readonly OutboxItem[]): Promise<void> {
  const unknown = new Set<RowNumber>();
  for (const { marketplace } of waiting)
    if (!leader.heads.has(marketplace)) unknown.add(marketplace);
  if (unknown.size === 0) return;
  const found = await readHeads(leader.client, [...unknown]);
  for (const marketplace of unknown)
    leader.heads.set(marketplace, found.get(marketplace) ?? NO_HEAD);
}

function assignPositions(leader: Leader, waiting: readonly OutboxItem[]): Batch {
  const now = leader.clock.now() * 1000;
  const batch: Batch = { sequenced: [], links: [], heads: new Map() };
  for (const row of waiting) {
    const before = leader.heads.get(row.marketplace);
    assert(before !== undefined, 'every head was read');
    const moved = batch.heads.get(row.marketplace) ?? { before, after: before };
    const sequenced = assignPosition(batch, row, moved.after, now);
    batch.heads.set(row.marketplace, { before, after: link(batch, row, sequenced) });
  }
  return batch;
}

/** The next position, and a time that is later than every time before it. */
function assignPosition(batch: Batch, row: OutboxItem, head: LogHead, now: number): LogHead {
  const { number, event } = row;
  if (event === null) {
    batch.sequenced.push({ number, position: null, occurredAt: null, id: null, payload: null });
    return head;
  }
  const position = head.position + 1;
  const micros = Math.max(now, head.micros + 1);
  batch.sequenced.push({
    number,
    position,
    occurredAt: microsText(micros),
    id: idAt('evt', micros),
    payload:
      event.entry &&
      JSON.stringify(
        balancePayload(event.type as BalanceEvent, event.aggregateId as UserId, event.entry),
      ),
  });
  return { ...head, position, micros };
}

/** Each hash covers the one before it and the row's full content. */
function link(batch: Batch, { marketplace, audit }: OutboxItem, head: LogHead): LogHead {
  if (audit === null) return head;
  assert(audit.content !== '', 'an audit row is written with the outbox row that names it');
  const chainHash = createHash('sha256').update(head.chainHash).update(audit.content).digest();
  const chainPosition = head.chainPosition + 1;
  batch.links.push({
    marketplace,
    position: chainPosition,
    auditId: audit.id,
    hash: chainHash.toString('hex'),
  });
  return { ...head, chainPosition, chainHash };
}

async function write(client: pg.ClientBase, { sequenced, links, heads }: Batch): Promise<void> {
  const moved = [...heads];
  const query = sql`
    with placed as (
      select * from unnest(${plainArray(sequenced, (row) => row.number)}::bigint[],
        ${plainArray(sequenced, (row) => row.position)}::bigint[],
        ${plainArray(sequenced, (row) => row.occurredAt)}::timestamptz[],
        ${plainArray(sequenced, (row) => row.id)}::text[],
        ${quotedArray(sequenced, (row) => row.payload)}::json[])
        as t (number, position, occurred_at, id, payload)),
    taken as (
      delete from outbox o using placed p where o.id = p.number
      returning o.marketplace_id, p.position, p.occurred_at, p.id, o.event_type, o.aggregate_id,
        o.entry_id, coalesce(o.payload, p.payload) as payload, o.actor_id, o.correlation_id,
        o.user_id, o.causation_id),
    logged as (
      insert into event (marketplace_id, position, occurred_at, id, event_type, aggregate_id,
        entry_id, payload, actor_id, correlation_id, user_id, causation_id)
      select * from taken where event_type is not null),
    linked as (
      insert into audit_link (marketplace_id, position, audit_id, hash)
      select marketplace_id, position, audit_id, decode(hash, 'hex')
      from unnest(${plainArray(links, (row) => row.marketplace)}::bigint[],
        ${plainArray(links, (row) => row.position)}::bigint[],
        ${plainArray(links, (row) => row.auditId)}::text[],
        ${plainArray(links, (row) => row.hash)}::text[])
        as t (marketplace_id, position, audit_id, hash)),
    moved as (
      insert into event_head as head (marketplace_id, position, occurred_at, chain_position,
        chain_hash)
      select marketplace_id, position, occurred_at, chain_position, decode(chain_hash, 'hex')
      from unnest(${plainArray(moved, ([marketplace]) => marketplace)}::bigint[],
        ${plainArray(moved, ([, { after }]) => after.position)}::bigint[],
        ${plainArray(moved, ([, { after }]) => microsText(after.micros))}::timestamptz[],
        ${plainArray(moved, ([, { after }]) => after.chainPosition)}::bigint[],
        ${plainArray(moved, ([, { after }]) => after.chainHash.toString('hex'))}::text[])
        as t (marketplace_id, position, occurred_at, chain_position, chain_hash)
      on conflict (marketplace_id) do update set position = excluded.position,
        occurred_at = excluded.occurred_at, chain_position = excluded.chain_position,
        chain_hash = excluded.chain_hash
      where (head.marketplace_id, head.position, head.chain_position) in (
        select * from unnest(${plainArray(moved, ([marketplace]) => marketplace)}::bigint[],
          ${plainArray(moved, ([, { before }]) => before.position)}::bigint[],
          ${plainArray(moved, ([, { before }]) => before.chainPosition)}::bigint[]))
      returning 1)
    select (select count(*) from taken)::int as taken, (select count(*) from moved)::int as moved`;
  const { rows } = await client.query<{ taken: number; moved: number }>({
    ...query,
    values: [...query.values],
  });
  // The locks ensure both; if they ever failed, nothing would be written.
  if (rows[0]?.taken !== sequenced.length)
    throw new LeadershipLost('another session took from the outbox');
  if (rows[0]?.moved !== moved.length) throw new LeadershipLost('another session moved a head');
}
