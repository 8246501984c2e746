//! Operations: the only SQL that writes them. An attempt writes under its epoch and attempt number.
import type { OperatedType } from '@holdfast/contract/audit-actions';
import type { OPERATION_STATUSES } from '@holdfast/contract/enums';
import { type ErrorCode, refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { newId, type OperationId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database/database.ts';
import type { Tables } from '../platform/database/generated/tables.ts';
import type { Row } from '../platform/database/row.ts';
import { sql } from '../platform/database/sql.ts';
import type { Tx } from '../platform/database/transact.ts';
import { count } from '../platform/telemetry/metrics.ts';
import { currentTraceparent } from '../platform/telemetry/trace.ts';

/** Verb-noun; it names the saga. */
export type OperationKind = `${string}-${string}`;

export interface NewOperation {
  readonly kind: OperationKind;
  /** The resource type in the audit log: Order, Withdrawal. */
  readonly resourceType: OperatedType;
  readonly resourceId: string;
  /** The saga's input as JSON; every attempt reads it again. */
  readonly plan: unknown;
}

export interface Operation extends NewOperation {
  /** The database's history when it was read: Restate remembers epochs of an earlier one. */
  readonly lineage: number;
  readonly marketplace: RowNumber;
  readonly id: OperationId;
  readonly status: (typeof OPERATION_STATUSES)[number];
  readonly epoch: number;
  readonly attempts: number;
  readonly hasMovedMoney: boolean;
  readonly result: unknown;
  readonly refusal: OperationRefusal | null;
  readonly nextTryAt: Instant;
  readonly escalatedAt: Instant | null;
  readonly actorId: string;
  readonly correlationId: string;
  /** The trace of the request that opened it. */
  readonly traceparent: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface OperationRefusal {
  readonly code: ErrorCode;
  readonly details: object;
}

/** One attempt at an operation. Once a newer attempt has started, this one writes nothing. */
export interface Attempt {
  readonly operationId: OperationId;
  readonly epoch: number;
  readonly attempt: number;
}

/** Thrown when an attempt finds that a newer one has started, or that the operation has ended. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

export type OperationRow = Row<
  'operation',
  Exclude<keyof Tables['operation'], 'heartbeat_at'>,
  {
    id: OperationId;
    kind: OperationKind;
    resource_type: OperatedType;
    result: { value?: unknown };
    refusal_code: ErrorCode;
    refusal_details: object;
  }
> & { lineage: number };

/**
 * Written in the transaction that puts its resource in flight. A resource has one open operation
 * at a time.
 */
export async function openOperation(tx: Tx, wanted: NewOperation): Promise<Operation> {
  const { kind, resourceType, resourceId, plan } = wanted;
  const id = newId('op', tx.now);
  const now = instantText(tx.now);
  const traceparent = currentTraceparent();
  const [opened] = await tx.query<{ lineage: number }>(sql`
    insert into open_operation (marketplace_id, resource_id, operation_id)
    values (${tx.marketplace}, ${resourceId}, ${id}) on conflict do nothing
    returning (select max(number) from lineage) as lineage`);
  // The resource's state allows another operation, so the open one is about to end.
  const reason = 'another operation on this resource is in progress';
  if (opened === undefined) return refuse('SERVICE_UNAVAILABLE', { reason, retryAfter: 1 });
  await tx.query(sql`
    insert into operation (marketplace_id, id, kind, resource_type, resource_id, status, epoch,
      attempts, has_moved_money, plan, next_try_at, heartbeat_at, actor_id, correlation_id,
      traceparent, created_at, updated_at)
    values (${tx.marketplace}, ${id}, ${kind}, ${resourceType}, ${resourceId}, 'RUNNING', 1,
      0, false, ${JSON.stringify(plan)}, ${now}, ${now}, ${tx.actor.id}, ${tx.requestId},
      ${traceparent}, ${now}, ${now})`);
  // Not read back: under serializable isolation, reading the index page would conflict with others.
  return {
    ...wanted,
    id,
    lineage: opened.lineage,
    marketplace: tx.marketplace,
    status: 'RUNNING',
    epoch: 1,
    attempts: 0,
    hasMovedMoney: false,
    result: undefined,
    refusal: null,
    nextTryAt: tx.now,
    escalatedAt: null,
    actorId: tx.actor.id,
    correlationId: tx.requestId,
    traceparent,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
}

export async function findOperation(tx: Tx, id: OperationId): Promise<Operation | undefined> {
  const [row] = await tx.query<OperationRow>(sql`
    select marketplace_id, id, kind, resource_type, resource_id, status, epoch, attempts,
      has_moved_money, plan, result, refusal_code, refusal_details, next_try_at, escalated_at, actor_id,
      correlation_id, traceparent, created_at, updated_at,
      (select max(number) from lineage) as lineage
    from operation where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row && readOperation(row);
}

async function getOperation(tx: Tx, id: OperationId): Promise<Operation> {
  const operation = await findOperation(tx, id);
  assert(operation !== undefined, 'what this transaction wrote is there');
  return operation;
}

export async function findOpenOperation(
  tx: Tx,
  resourceId: string,
): Promise<Operation | undefined> {
  const [open] = await tx.query<{ operation_id: OperationId }>(sql`
    select operation_id from open_operation
    where marketplace_id = ${tx.marketplace} and resource_id = ${resourceId}`);
  return open && findOperation(tx, open.operation_id);
}

/** An operation as an attempt finds it. */
export interface StartedOperation extends Operation {
  /** How long the previous attempt chose to wait; zero when it was lost. */
  readonly lastWaitMs: number;
}

/** Counts a new attempt, which ends every earlier one. Undefined when it may not start. */
export async function startAttempt(
  tx: Tx,
  id: OperationId,
  epoch: number,
): Promise<StartedOperation | undefined> {
  const now = instantText(tx.now);
  const [started] = await tx.query<{ waited: number }>(sql`
    update operation set attempts = attempts + 1, heartbeat_at = ${now}, updated_at = ${now}
    from (select next_try_at, heartbeat_at from operation
      where marketplace_id = ${tx.marketplace} and id = ${id} for update) before
    where marketplace_id = ${tx.marketplace} and id = ${id} and epoch = ${epoch}
      and status in ('RUNNING', 'ESCALATED')
    returning extract(epoch from before.next_try_at - before.heartbeat_at)::float8 * 1000 as waited`);
  if (started === undefined) return undefined;
  return { ...(await getOperation(tx, id)), lastWaitMs: Math.max(0, started.waited) };
}

/** First in every transaction of an attempt: records a heartbeat and proves that it is current. */
export async function checkFence(tx: Tx, { operationId, epoch, attempt }: Attempt): Promise<void> {
  const now = instantText(tx.now);
  const fenced = await tx.query(sql`
    update operation set heartbeat_at = ${now}, updated_at = ${now}
    where marketplace_id = ${tx.marketplace} and id = ${operationId} and epoch = ${epoch}
      and attempts = ${attempt} and status in ('RUNNING', 'ESCALATED')
    returning id`);
  if (fenced.length > 0) return;
  count('holdfast_fence_refusals_total', { rule: 'operation' });
  throw new Overtaken(`another attempt has taken over ${operationId}`);
}

/** The four below run after `checkFence`, in its transaction, which has locked the row. */
export async function recordMoneyMoved(tx: Tx, { operationId }: Attempt): Promise<void> {
  await tx.query(sql`
    update operation set has_moved_money = true
    where marketplace_id = ${tx.marketplace} and id = ${operationId}`);
}

export async function postponeOperation(
  tx: Tx,
  { operationId }: Attempt,
  nextTryAt: Instant,
): Promise<void> {
  await tx.query(sql`
    update operation set next_try_at = ${instantText(nextTryAt)}
    where marketplace_id = ${tx.marketplace} and id = ${operationId}`);
}

/** True only the first time. */
export async function escalateOperation(tx: Tx, { operationId }: Attempt): Promise<boolean> {
  const escalated = await tx.query(sql`
    update operation set status = 'ESCALATED', escalated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${operationId} and status = 'RUNNING'
    returning id`);
  return escalated.length === 1;
}

export async function endOperation(
  tx: Tx,
  { id: operationId, resourceId }: Operation,
  end: { readonly result: unknown } | OperationRefusal,
): Promise<void> {
  const isRefused = 'code' in end;
  await tx.query(sql`
    update operation set status = ${isRefused ? 'REFUSED' : 'DONE'},
      result = ${isRefused ? null : JSON.stringify({ value: end.result })},
      refusal_code = ${isRefused ? end.code : null},
      refusal_details = ${isRefused ? JSON.stringify(end.details) : null}
    where marketplace_id = ${tx.marketplace} and id = ${operationId}`);
  await tx.query(sql`
    delete from open_operation
    where marketplace_id = ${tx.marketplace} and resource_id = ${resourceId}`);
}

export interface SilentOperation {
  readonly marketplace: RowNumber;
  readonly id: OperationId;
  readonly epoch: number;
}

/** Operations of all marketplaces whose attempt was lost; only references, not the rows. */
export async function listSilentOperations(
  pool: pg.Pool,
  count: number,
  silentSince: Instant,
): Promise<SilentOperation[]> {
  const { rows } = await pool.query<Pick<OperationRow, 'marketplace_id' | 'id' | 'epoch'>>(
    'select marketplace_id, id, epoch from work.operations_to_run($1, $2)',
    [count, instantText(silentSince)],
  );
  return rows.map(({ marketplace_id: marketplace, id, epoch }) => ({ marketplace, id, epoch }));
}

/** Starts a new epoch, which fences off the old one. Undefined when another worker was first. */
export async function takeOverOperation(
  tx: Tx,
  { id, epoch }: SilentOperation,
): Promise<Operation | undefined> {
  const now = instantText(tx.now);
  const taken = await tx.query(sql`
    update operation set epoch = epoch + 1, heartbeat_at = ${now}, updated_at = ${now}
    where marketplace_id = ${tx.marketplace} and id = ${id} and epoch = ${epoch}
      and status in ('RUNNING', 'ESCALATED')
    returning id`);
  return taken.length === 1 ? getOperation(tx, id) : undefined;
}

export function isOpen({ status }: Pick<Operation, 'status'>): boolean {
  return status === 'RUNNING' || status === 'ESCALATED';
}

export function readOperation(row: OperationRow): Operation {
  const { refusal_code: code, refusal_details: details } = row;
  return {
    lineage: row.lineage,
    marketplace: row.marketplace_id,
    id: row.id,
    kind: row.kind,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    status: row.status,
    epoch: row.epoch,
    attempts: row.attempts,
    hasMovedMoney: row.has_moved_money,
    plan: row.plan,
    result: row.result?.value,
    refusal: code === null ? null : { code, details: details ?? {} },
    nextTryAt: row.next_try_at,
    escalatedAt: row.escalated_at,
    actorId: row.actor_id,
    correlationId: row.correlation_id,
    traceparent: row.traceparent,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
