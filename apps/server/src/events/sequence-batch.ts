//! One batch of the sequencer: what waits gets its place in the log and the audit chain.
//!
//! Whatever a snapshot shows is committed, and what it does not show yet comes in a later batch, so
//! places follow commits; within a batch the outbox's own order holds, which two changes of one
//! resource took in turn, each under the resource's lock.
import { createHash } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import { type Clock, microsText } from '@holdfast/kernel/clock';
import { type AuditId, type EventId, idAt, type UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import { isDatabaseAway, type RowNumber } from '../platform/database.ts';
import { sql } from '../platform/sql.ts';
import { plainArray, quotedArray } from '../platform/sql-array.ts';
import { type BalanceEvent, balancePayload } from './balance-payload.ts';
import { type LogHead, NO_HEAD, readHeads } from './event-head.ts';
import { OutboxFloor } from './outbox-floor.ts';
import { readWaiting, type Waiting } from './waiting.ts';

/** The only writer of the log while it lives: one session that holds the locks of its shards. */
export interface Leader {
  readonly client: pg.ClientBase;
  readonly clock: Clock;
  readonly shards: readonly number[];
  /** Heads as this leader left them. Nobody else moves them, so they need no second look. */
  readonly heads: Map<RowNumber, LogHead>;
  /** Marketplaces with a row that can't be placed, and why: theirs wait, all others go on. */
  readonly stuck: Map<RowNumber, Error>;
  readonly floor: OutboxFloor;
}

export function newLeader(parts: Pick<Leader, 'client' | 'clock' | 'shards'>): Leader {
  return { ...parts, heads: new Map(), stuck: new Map(), floor: new OutboxFloor() };
}

/** How far a marketplace's log goes now. */
export interface Notice {
  readonly marketplace: RowNumber;
  readonly position: number;
}

interface Placed {
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
  readonly placed: Placed[];
  readonly links: Link[];
  readonly heads: Map<RowNumber, { before: LogHead; after: LogHead }>;
}

/** Somebody else wrote where only this leader may: it must begin anew. */
class LeadLost extends Error {}

export interface Sequenced {
  readonly placed: number;
  /** The logs that grew. */
  readonly notices: readonly Notice[];
}

export async function sequenceBatch(leader: Leader, atMost: number): Promise<Sequenced> {
  const { client, shards, stuck, floor } = leader;
  await floor.look(client);
  const wanted = { shards, stuck: stuck.keys(), above: floor.number };
  const waiting = await readWaiting(client, wanted, atMost);
  const done = await sequenceAll(leader, waiting);
  // What was left out lies below what was placed.
  if (done.placed < waiting.length) floor.reset();
  else
    floor.placed(
      waiting.map(({ number }) => number),
      waiting.length < atMost,
    );
  return done;
}

async function sequenceAll(leader: Leader, waiting: readonly Waiting[]): Promise<Sequenced> {
  if (waiting.length === 0) return { placed: 0, notices: [] };
  try {
    return await sequence(leader, waiting);
  } catch (error) {
    if (isPassing(error)) throw error;
    // A row is bad, and only its marketplace may wait.
    return sequenceOneByOne(leader, waiting);
  }
}

async function sequenceOneByOne(leader: Leader, waiting: readonly Waiting[]): Promise<Sequenced> {
  let placed = 0;
  const notices: Notice[] = [];
  for (const [marketplace, rows] of Map.groupBy(waiting, (row) => row.marketplace)) {
    try {
      const done = await sequence(leader, rows);
      placed += done.placed;
      notices.push(...done.notices);
    } catch (error) {
      if (isPassing(error)) throw error;
      leader.stuck.set(marketplace, error as Error);
    }
  }
  return { placed, notices };
}

/** Not a row's fault: the session, a lock, a time-out, a lost lead. The next try may succeed. */
function isPassing(error: unknown): boolean {
  if (error instanceof LeadLost || isDatabaseAway(error)) return true;
  return /^(08|40|53|55|57)[0-9A-Z]{3}$/.test((error as { code?: string }).code ?? '');
}

async function sequence(leader: Leader, waiting: readonly Waiting[]): Promise<Sequenced> {
  await learnHeads(leader, waiting);
  const batch = placeAll(leader, waiting);
  await leader.client.query('begin');
  try {
    await write(leader.client, batch);
    await leader.client.query('commit');
  } catch (error) {
    // What became of it is not known: the next batch asks the database.
    leader.heads.clear();
    await leader.client.query('rollback').catch(() => undefined);
    throw error;
  }
  const notices: Notice[] = [];
  for (const [marketplace, { before, after }] of batch.heads) {
    leader.heads.set(marketplace, after);
    if (after.position > before.position) notices.push({ marketplace, position: after.position });
  }
  return { placed: waiting.length, notices };
}

async function learnHeads(leader: Leader, waiting: readonly Waiting[]): Promise<void> {
  const unknown = new Set<RowNumber>();
  for (const { marketplace } of waiting)
    if (!leader.heads.has(marketplace)) unknown.add(marketplace);
  if (unknown.size === 0) return;
  const found = await readHeads(leader.client, [...unknown]);
  for (const marketplace of unknown)
    leader.heads.set(marketplace, found.get(marketplace) ?? NO_HEAD);
}

function placeAll(leader: Leader, waiting: readonly Waiting[]): Batch {
  const now = leader.clock.now() * 1000;
  const batch: Batch = { placed: [], links: [], heads: new Map() };
  for (const row of waiting) {
    const before = leader.heads.get(row.marketplace);
    assert(before !== undefined, 'every head was learned');
    const moved = batch.heads.get(row.marketplace) ?? { before, after: before };
    const placed = place(batch, row, moved.after, now);
    batch.heads.set(row.marketplace, { before, after: link(batch, row, placed) });
  }
  return batch;
}

/** The next position, and a time that is later than every time before it. */
function place(batch: Batch, row: Waiting, head: LogHead, now: number): LogHead {
  const { number, event } = row;
  if (event === null) {
    batch.placed.push({ number, position: null, occurredAt: null, id: null, payload: null });
    return head;
  }
  const position = head.position + 1;
  const micros = Math.max(now, head.micros + 1);
  batch.placed.push({
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

/** Each hash covers the one before it and everything the row says. */
function link(batch: Batch, { marketplace, audit }: Waiting, head: LogHead): LogHead {
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

async function write(client: pg.ClientBase, { placed, links, heads }: Batch): Promise<void> {
  const moved = [...heads];
  const query = sql`
    with placed as (
      select * from unnest(${plainArray(placed, (row) => row.number)}::bigint[],
        ${plainArray(placed, (row) => row.position)}::bigint[],
        ${plainArray(placed, (row) => row.occurredAt)}::timestamptz[],
        ${plainArray(placed, (row) => row.id)}::text[],
        ${quotedArray(placed, (row) => row.payload)}::json[])
        as t (number, position, occurred_at, id, payload)),
    taken as (
      delete from outbox o using placed p where o.id = p.number
      returning o.marketplace_id, p.position, p.occurred_at, p.id, o.event_type, o.aggregate_id,
        o.entry_id, coalesce(o.payload, p.payload) as payload, o.actor_id, o.correlation_id),
    logged as (
      insert into event (marketplace_id, position, occurred_at, id, event_type, aggregate_id,
        entry_id, payload, actor_id, correlation_id)
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
  // The locks make sure of both; if they ever failed, nothing would be written.
  if (rows[0]?.taken !== placed.length) throw new LeadLost('somebody else took from the outbox');
  if (rows[0]?.moved !== moved.length) throw new LeadLost('somebody else moved a head');
}
