//! The histories of the database: the only SQL that reads and writes them.
//!
//! A restore or a failover gives the database another history, in which it has forgotten its last
//! writes. Until it is known what they were, nothing may be sent that they may have sent already.
//! Each transaction that writes compares the server with the row of the present history.
import { moveSources } from '@holdfast/contract/machine';
import {
  type LineageMove,
  type LineageState,
  lineageMachine,
} from '@holdfast/contract/machines/lineage-machine';
import type { LineageStatus } from '@holdfast/contract/records/recovery-records';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import { recovering } from './database.ts';
import type { Row } from './row.ts';
import { type Query, sql } from './sql.ts';

/** The part of a transaction that is needed here. */
interface Writer {
  readonly now: Instant;
  query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]>;
}

export function refuseUnlessWritable(status: LineageStatus): void {
  if (status === 'OPEN' || status === 'PROMOTED') return;
  throw recovering();
}

/** Runs in the transaction of a request that will pay out. */
export async function refuseUnlessPayoutsOpen(tx: Writer): Promise<void> {
  const [row] = await tx.query<{ status: LineageStatus }>(sql`select lineage_status() as status`);
  if (row?.status !== 'OPEN') throw recovering();
}

/** What is wrong with sending now, in words for a log; undefined where nothing is. */
export async function sendingFault(
  tx: Writer,
  { isPayout }: { readonly isPayout: boolean },
): Promise<string | undefined> {
  const [row] = await tx.query<{ status: LineageStatus }>(sql`
    select work.sending_status() as status`);
  return faultOf(row?.status ?? 'UNCHECKED', isPayout);
}

const FAULTS: Readonly<Record<Exclude<LineageStatus, 'OPEN'>, string>> = {
  UNCHECKED: 'the history of the database has not been compared with the mark in Restate yet',
  PROMOTED: 'a standby has taken over, and what it may have missed is being looked for',
  REWOUND: 'the database was set back, and what it has forgotten is being looked for',
};

function faultOf(status: LineageStatus, isPayout: boolean): string | undefined {
  if (status === 'OPEN' || (status === 'PROMOTED' && !isPayout)) return undefined;
  return FAULTS[status];
}

export interface EnvelopeNumber {
  readonly source: string;
  readonly sequence: bigint;
}

/** Whether an envelope may be stored, in its transaction. */
export async function checkEnvelope(
  tx: Writer,
  { source, sequence }: EnvelopeNumber,
): Promise<{ readonly fault: string | undefined; readonly isKnown: boolean }> {
  const [row] = await tx.query<{ status: LineageStatus; known: boolean; channel: boolean }>(sql`
    select work.sending_status() as status, work.is_known_number(${source}, ${String(sequence)}) as known,
      exists (select from house_wallet where address = ${source} and kind = 'channel') as channel`);
  const { status = 'UNCHECKED', known = false, channel = false } = row ?? {};
  // What a channel carries is a payment out, a cover, the mirror or new accounts.
  return { fault: faultOf(status, channel), isKnown: known };
}

let unknownAt: string | undefined;

/** For the job that checks: an account on the network has used a number that is not known here. */
export function recordUnknownNumber(address: string): void {
  unknownAt = address;
}

export function takeUnknownNumber(): string | undefined {
  const address = unknownAt;
  unknownAt = undefined;
  return address;
}

let present: Pick<LineageReading, 'status' | 'isSameServer' | 'isCompared'> | undefined;

/** For the jobs of this process; each transaction reads it again. */
export function setPresentLineage(reading: LineageReading): void {
  present = reading;
}

/** Whether jobs with this need may run; none before the first verdict. */
export function isNeedMet(need: 'writes' | 'sending' | 'nothing'): boolean {
  if (need === 'nothing') return true;
  if (present === undefined || !present.isSameServer) return false;
  if (need === 'sending') return present.status === 'OPEN' && present.isCompared;
  return present.status !== 'REWOUND';
}

type LineageRow = Row<
  'lineage',
  | 'number'
  | 'status'
  | 'reason'
  | 'lost_from'
  | 'checked_at'
  | 'opened_at'
  | 'open_requested_by'
  | 'open_requested_at'
  | 'open_reason',
  { open_requested_by: OperatorId }
>;

export interface Lineage {
  readonly number: number;
  readonly status: LineageState;
  readonly reason: string;
  readonly lostFrom: Instant | null;
  readonly checkedAt: Instant;
  readonly openedAt: Instant | null;
  readonly openRequest: OpenRequest | null;
}

/** A platform admin's, which another one has to confirm. */
export interface OpenRequest {
  readonly requestedBy: OperatorId;
  readonly requestedAt: Instant;
  readonly reason: string;
}

/** The present history, and what a worker compares it with. */
export interface LineageReading extends ShownLineage {
  /** When the server was started, as it writes it. */
  readonly serverStart: string;
  /** The mark was compared since the server started. */
  readonly isCompared: boolean;
  readonly mark: bigint;
  readonly markedAt: Instant;
}

/** On a connection of its own kind: no marketplace, no right to write is needed. */
export async function readLineage(pool: pg.Pool): Promise<LineageReading> {
  const { rows } = await pool.query<
    LineageRow & {
      same: boolean;
      compared: boolean;
      server_start: string;
      mark: string;
      marked_at: Instant;
    }
  >(`select l.number, l.status, l.reason, l.lost_from, l.checked_at, l.opened_at,
      l.open_requested_by, l.open_requested_at, l.open_reason,
      lineage_status() <> 'UNCHECKED' as same,
      l.compared_start is not distinct from pg_postmaster_start_time() as compared,
      pg_postmaster_start_time()::text as server_start,
      m.mark, m.marked_at
    from lineage l, lineage_mark m order by l.number desc limit 1`);
  const [row] = rows;
  assert(row !== undefined, 'a migrated database has its first history');
  return {
    ...readRow(row),
    isSameServer: row.same,
    isCompared: row.compared,
    serverStart: row.server_start,
    mark: BigInt(row.mark),
    markedAt: row.marked_at,
  };
}

/** The present history; a server that no worker has checked yet may be in another one. */
export interface ShownLineage extends Lineage {
  readonly isSameServer: boolean;
}

export async function getLineage(tx: Pick<Writer, 'query'>): Promise<ShownLineage> {
  const [row] = await tx.query<LineageRow & { same: boolean }>(sql`
    select number, status, reason, lost_from, checked_at, opened_at, open_requested_by,
      open_requested_at, open_reason, lineage_status() <> 'UNCHECKED' as same
    from lineage order by number desc limit 1`);
  assert(row !== undefined, 'a migrated database has its first history');
  return { ...readRow(row), isSameServer: row.same };
}

/** For health checks: whether nothing is closed because of what was forgotten. */
export async function isLineageOpen(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ status: LineageStatus }>('select lineage_status() as status');
  return rows[0]?.status === 'OPEN';
}

/** Replaces an older request. */
export async function requestOpening(
  tx: Writer,
  number: number,
  by: string,
  reason: string,
): Promise<void> {
  await tx.query(sql`
    update lineage set open_requested_by = ${by}, open_requested_at = ${instantText(tx.now)},
      open_reason = ${reason}
    where number = ${number}`);
}

function readRow(row: LineageRow): Lineage {
  return {
    number: row.number,
    status: row.status,
    reason: row.reason,
    lostFrom: row.lost_from,
    checkedAt: row.checked_at,
    openedAt: row.opened_at,
    openRequest:
      row.open_requested_by === null || row.open_requested_at === null
        ? null
        : {
            requestedBy: row.open_requested_by,
            requestedAt: row.open_requested_at,
            reason: row.open_reason ?? '',
          },
  };
}

export interface Verdict {
  readonly status: Exclude<LineageState, 'OPEN'>;
  readonly reason: string;
  readonly lostFrom: Instant;
  /** The present mark must not be behind what any other place has. */
  readonly markAtLeast: bigint;
}

/** Starts another history, unless another worker already did. */
export async function startLineage(
  tx: Writer,
  seen: number,
  { status, reason, lostFrom, markAtLeast }: Verdict,
): Promise<boolean> {
  const started = await tx.query(sql`
    insert into lineage (number, system_identifier, timeline, status, reason, lost_from, checked_at,
      compared_start)
    select ${seen} + 1, system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
      ${status}, ${reason}, ${instantText(lostFrom)}, ${instantText(tx.now)}, pg_postmaster_start_time()
    from pg_control_system()
    on conflict do nothing returning number`);
  if (started.length === 0) return false;
  await tx.query(sql`
    update lineage_mark set mark = greatest(mark, ${String(markAtLeast)}), marked_at = ${instantText(tx.now)}`);
  return true;
}

/** The mark is not behind: this start of the server is one of a database that forgot nothing. */
export async function confirmCompared(
  pool: pg.Pool,
  { number, serverStart }: Pick<LineageReading, 'number' | 'serverStart'>,
): Promise<void> {
  await pool.query(
    `update lineage set compared_start = pg_postmaster_start_time()
     where number = $1 and pg_postmaster_start_time()::text = $2
       and lineage_status() <> 'UNCHECKED'`,
    [number, serverStart],
  );
}

/** Guarded by the state that it is in: false when it is in another one. */
export async function moveLineage(
  tx: Writer,
  number: number,
  move: LineageMove,
  reason: string,
): Promise<boolean> {
  const { to } = lineageMachine.moves[move];
  const from = moveSources(lineageMachine, move);
  const moved = await tx.query(sql`
    update lineage set status = ${to}, reason = ${reason},
      opened_at = ${to === 'OPEN' ? instantText(tx.now) : null}
    where number = ${number} and status = any (${from})
    returning number`);
  return moved.length === 1;
}

/** Counts up, at most once in an interval; undefined when another worker just did. */
export async function advanceMark(
  pool: pg.Pool,
  now: Instant,
  everyMs: number,
): Promise<bigint | undefined> {
  const { rows } = await pool.query<{ mark: string }>(
    `update lineage_mark set mark = mark + 1, marked_at = $1
     where (marked_at <= $2 or marked_at > $1) and lineage_status() in ('OPEN', 'PROMOTED')
     returning mark`,
    [instantText(now), instantText(now - everyMs)],
  );
  return rows[0] && BigInt(rows[0].mark);
}
