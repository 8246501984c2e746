//! Reconciliation runs: the only SQL that writes them.
import { refuse } from '@holdfast/contract/errors';
import { type RunMove, type RunState, runMachine } from '@holdfast/contract/machines/run-machine';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperationId, RunId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Compared } from '../comparison/finding.ts';
import type { Tallies } from './tally.ts';

export interface RunTerms {
  readonly id: RunId;
  readonly providers: readonly Compared[];
  readonly operationId: OperationId;
  readonly windowFrom: Instant;
}

/** The figures of a run, once it is done. */
export interface RunFigures {
  readonly totals: Tallies;
  readonly opened: number;
  readonly seenAgain: number;
  readonly cleared: number;
}

export interface Run extends RunTerms {
  readonly status: RunState;
  readonly figures: RunFigures | null;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly endedAt: Instant | null;
}

type RunRow = Row<
  'reconciliation_run',
  Exclude<keyof Tables['reconciliation_run'], 'marketplace_id'>,
  { id: RunId; providers: Compared[]; operation_id: OperationId; totals: Tallies }
>;

/** A marketplace has one run at a time. */
export async function insertRun(tx: Tx, terms: RunTerms): Promise<Run> {
  const { id, providers, operationId, windowFrom } = terms;
  const inserted = await tx.query(sql`
    insert into reconciliation_run (marketplace_id, id, status, providers, operation_id, window_from,
      created_by, created_at)
    values (${tx.marketplace}, ${id}, ${runMachine.initial}, ${[...providers]}, ${operationId},
      ${instantText(windowFrom)}, ${tx.actor.id}, ${instantText(tx.now)})
    on conflict do nothing returning id`);
  if (inserted.length === 0) {
    const reason = 'another run of this marketplace is in progress';
    refuse('INVALID_STATE', { resource: 'ReconciliationRun', state: 'RUNNING', reason });
  }
  return {
    ...terms,
    status: runMachine.initial,
    figures: null,
    createdBy: tx.actor.id,
    createdAt: tx.now,
    endedAt: null,
  };
}

export async function findRun(tx: Tx, id: RunId): Promise<Run | undefined> {
  const [row] = await tx.query<RunRow>(sql`
    select id, status, providers, operation_id, window_from, totals, opened, seen_again, cleared,
      created_by, created_at, ended_at
    from reconciliation_run where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row && readRun(row);
}

export interface RunFilter extends CreatedFilter {
  readonly status?: RunState;
}

/** Newest first. */
export async function listRunRows(
  tx: Tx,
  filter: RunFilter,
  after: string | null,
  count: number,
): Promise<Run[]> {
  const { status = null } = filter;
  const { from, below } = idRange('rec', filter, after);
  const rows = await tx.query<RunRow>(sql`
    select id, status, providers, operation_id, window_from, totals, opened, seen_again, cleared,
      created_by, created_at, ended_at
    from reconciliation_run
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and (${status}::text is null or status = ${status})
    order by id desc limit ${count}`);
  return rows.map(readRun);
}

/** The only statement that changes a run's status. */
export async function endRun(tx: Tx, id: RunId, figures: RunFigures): Promise<void> {
  const move: RunMove = 'end';
  const { from, to } = runMachine.moves[move];
  const ended = await tx.query(sql`
    update reconciliation_run set status = ${to}, totals = ${JSON.stringify(figures.totals)},
      opened = ${figures.opened}, seen_again = ${figures.seenAgain}, cleared = ${figures.cleared},
      ended_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = any (${from}) returning id`);
  assert(ended.length === 1, 'a run is ended once, by its own operation');
  await tx.query(sql`
    delete from reconciliation_match where marketplace_id = ${tx.marketplace} and run_id = ${id}`);
}

export async function insertSeen(tx: Tx, id: RunId, codes: readonly string[]): Promise<void> {
  await tx.query(sql`
    insert into reconciliation_match (marketplace_id, run_id, code)
    select ${tx.marketplace}, ${id}, met from unnest(${[...codes]}::text[]) as met
    on conflict do nothing`);
}

/** Marketplaces without a run since the given time. */
export async function listUncompared(
  pool: pg.Pool,
  since: Instant,
  count: number,
): Promise<RowNumber[]> {
  const { rows } = await pool.query<{ id: RowNumber }>(
    'select work.marketplaces_to_reconcile($1, $2) as id',
    [instantText(since), count],
  );
  return rows.map(({ id }) => id);
}

function readRun(row: RunRow): Run {
  const { totals, opened, seen_again: seenAgain, cleared } = row;
  const isDone = totals !== null && opened !== null && seenAgain !== null && cleared !== null;
  return {
    id: row.id,
    status: row.status,
    providers: row.providers,
    operationId: row.operation_id,
    windowFrom: row.window_from,
    figures: isDone ? { totals, opened, seenAgain, cleared } : null,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}
