//! Exceptions: the only SQL that writes them. A difference that is found again is the same
//! exception.
import {
  type ExceptionMove,
  type ExceptionState,
  exceptionMachine,
} from '@holdfast/contract/machines/exception-machine';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { type ExceptionId, newId, type RunId, type UserId } from '@holdfast/kernel/ids';
import type { Tables } from '../../platform/database/generated/tables.ts';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type Action, actionsFor, type Compared, type Difference } from '../comparison/finding.ts';

export interface Exception extends Difference {
  readonly id: ExceptionId;
  readonly provider: Compared;
  readonly status: ExceptionState;
  /** The allowed actions, the likeliest first; empty once it is not open. */
  readonly suggestedActions: readonly Action[];
  readonly firstRunId: RunId;
  readonly lastRunId: RunId;
  readonly resolution: Resolution | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Resolution {
  readonly action: Action;
  readonly reason: string;
  readonly resolvedBy: string;
  readonly resolvedAt: Instant;
}

type ExceptionRow = Row<
  'reconciliation_exception',
  Exclude<keyof Tables['reconciliation_exception'], 'marketplace_id' | 'user_id' | 'posted'>,
  {
    id: ExceptionId;
    provider: Compared;
    cause: Exception['cause'];
    ours: object;
    theirs: object;
    first_run_id: RunId;
    last_run_id: RunId;
  }
>;

/** Written by a run. An accepted exception stays accepted until it changes. */
export async function recordException(
  tx: Tx,
  run: { readonly id: RunId; readonly provider: Compared },
  found: Difference,
): Promise<void> {
  if (await isAccepted(tx, found)) return;
  const now = instantText(tx.now);
  const id = newId('exc', tx.now);
  const [recorded] = await tx.query<Pick<ExceptionRow, 'id'>>(sql`
    insert into reconciliation_exception (marketplace_id, id, key, provider, cause, status, currency,
      stroops, clearing, resource_type, resource_id, ours, theirs, record_at, first_run_id,
      last_run_id, created_at, updated_at)
    values (${tx.marketplace}, ${id}, ${found.key}, ${run.provider}, ${found.cause},
      ${exceptionMachine.initial}, ${found.currency}, ${String(found.stroops)}, ${found.clearing},
      ${found.resourceType}, ${found.resourceId}, ${jsonOf(found.ours)}, ${jsonOf(found.theirs)},
      ${instantText(found.recordAt)}, ${run.id}, ${run.id},
      ${now}, ${now})
    on conflict (marketplace_id, key) where status = 'OPEN' do update
    set cause = excluded.cause, currency = excluded.currency, stroops = excluded.stroops,
      clearing = excluded.clearing, resource_type = excluded.resource_type,
      resource_id = excluded.resource_id, ours = excluded.ours, theirs = excluded.theirs,
      last_run_id = excluded.last_run_id, updated_at = excluded.updated_at
    returning id`);
  assert(recorded !== undefined, 'it is new, or it was open');
  if (recorded.id !== id) return;
  const { cause, currency, resourceId } = found;
  const amount = stroopsText(found.stroops);
  await audit(tx, {
    action: 'EXCEPTION_OPENED',
    resourceId: id,
    after: { cause, amount, currency, resourceId, runId: run.id },
  });
}

/**
 * Accepted, and still the same. A posted difference is in the books, and so no longer a difference.
 */
async function isAccepted(tx: Tx, { key, cause, stroops }: Difference): Promise<boolean> {
  const [last] = await tx.query<Pick<ExceptionRow, 'cause' | 'stroops' | 'action'>>(sql`
    select cause, stroops, action from reconciliation_exception
    where marketplace_id = ${tx.marketplace} and key = ${key} and status = 'RESOLVED'
    order by id desc limit 1`);
  return last?.action === 'ACCEPT' && last.cause === cause && last.stroops === String(stroops);
}

function jsonOf(facts: object | null): string | null {
  return facts === null ? null : JSON.stringify(facts);
}

export async function findException(tx: Tx, id: ExceptionId): Promise<Exception | undefined> {
  const [row] = await tx.query<ExceptionRow>(sql`
    select id, key, provider, cause, status, currency, stroops, clearing, resource_type, resource_id,
      ours, theirs, record_at, first_run_id, last_run_id, action, reason, resolved_by, resolved_at,
      created_at, updated_at
    from reconciliation_exception where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row && readException(row);
}

export interface ExceptionFilter extends CreatedFilter {
  readonly runId?: RunId;
  readonly status?: ExceptionState;
  readonly cause?: Exception['cause'];
}

/** Newest first. A run's exceptions are those it found and those it saw again. */
export async function listExceptionRows(
  tx: Tx,
  filter: ExceptionFilter,
  after: string | null,
  count: number,
): Promise<Exception[]> {
  const { from, below } = idRange('exc', filter, after);
  const { runId = null, status = null, cause = null } = filter;
  const rows = await tx.query<ExceptionRow>(sql`
    select id, key, provider, cause, status, currency, stroops, clearing, resource_type, resource_id,
      ours, theirs, record_at, first_run_id, last_run_id, action, reason, resolved_by, resolved_at,
      created_at, updated_at
    from reconciliation_exception
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and (${runId}::text is null or ${runId} in (first_run_id, last_run_id))
      and (${status}::text is null or status = ${status})
      and (${cause}::text is null or cause = ${cause})
    order by id desc limit ${count}`);
  return rows.map(readException);
}

/** Undefined for the second of two callers: the exception is resolved already. */
export async function resolveRow(
  tx: Tx,
  id: ExceptionId,
  { action, reason, userId }: ResolutionInput,
): Promise<Exception | undefined> {
  const move: ExceptionMove = 'resolve';
  const { from, to } = exceptionMachine.moves[move];
  const now = instantText(tx.now);
  const moved = await tx.query(sql`
    update reconciliation_exception set status = ${to}, action = ${action}, reason = ${reason},
      resolved_by = ${tx.actor.id}, resolved_at = ${now}, user_id = ${userId ?? null},
      updated_at = ${now}
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = any (${from}) returning id`);
  return moved.length === 1 ? findException(tx, id) : undefined;
}

export interface ResolutionInput {
  readonly action: Action;
  readonly reason: string;
  readonly userId?: UserId;
  /** The amount that the operator has seen; up to seven decimal places, checked by the schema. */
  readonly expectedAmount?: string;
}

/** The scope of a run: it may clear only exceptions that it has checked. */
export interface Cleared {
  readonly runId: RunId;
  readonly providers: readonly Compared[];
  /** Older records of the payment provider were not checked. */
  readonly windowFrom: Instant;
  /** Keys that this run could not decide. */
  readonly undecided: readonly string[];
  /** The run also covered records that belong to no marketplace. */
  readonly isHouse: boolean;
}

/** Closes the exceptions that a run no longer found. Returns how many. */
export async function clearUnseen(tx: Tx, checked: Cleared): Promise<number> {
  const move: ExceptionMove = 'clear';
  const { from, to } = exceptionMachine.moves[move];
  const cleared = await tx.query<Pick<ExceptionRow, 'id' | 'cause'>>(sql`
    update reconciliation_exception set status = ${to}, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and status = any (${from})
      and provider = any (${[...checked.providers]}) and last_run_id <> ${checked.runId}
      and not key = any (${[...checked.undecided]})
      and (${checked.isHouse} or resource_id is not null)
      and (provider <> 'payment_provider' or record_at is null
        or record_at >= ${instantText(checked.windowFrom)})
    returning id, cause`);
  for (const { id, cause } of cleared)
    await audit(tx, {
      action: 'EXCEPTION_CLEARED',
      resourceId: id,
      after: { cause, runId: checked.runId },
    });
  return cleared.length;
}

export async function countExceptions(
  tx: Tx,
  runId: RunId,
): Promise<{ readonly opened: number; readonly seenAgain: number }> {
  const [row] = await tx.query<{ opened: number; seen_again: number }>(sql`
    select count(*) filter (where first_run_id = ${runId})::int as opened,
      count(*) filter (where first_run_id <> ${runId})::int as seen_again
    from reconciliation_exception
    where marketplace_id = ${tx.marketplace} and last_run_id = ${runId}`);
  return { opened: row?.opened ?? 0, seenAgain: row?.seen_again ?? 0 };
}

/** Makes the books agree with the other side, once, through the posting function. */
export async function postException(tx: Tx, id: ExceptionId): Promise<void> {
  await tx.query(sql`
    select books.post_exception(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})`);
}

function readException(row: ExceptionRow): Exception {
  const { action, reason, resolved_by: resolvedBy, resolved_at: resolvedAt } = row;
  const isResolved =
    action !== null && reason !== null && resolvedBy !== null && resolvedAt !== null;
  return {
    id: row.id,
    key: row.key,
    provider: row.provider,
    cause: row.cause,
    status: row.status,
    suggestedActions:
      row.status === 'OPEN' ? actionsFor({ cause: row.cause, stroops: BigInt(row.stroops) }) : [],
    currency: row.currency,
    stroops: BigInt(row.stroops),
    clearing: row.clearing,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    ours: row.ours,
    theirs: row.theirs,
    recordAt: row.record_at,
    firstRunId: row.first_run_id,
    lastRunId: row.last_run_id,
    resolution: isResolved ? { action, reason, resolvedBy, resolvedAt } : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
