//! Steps of operations: the only SQL that writes them. A step's marker is claimed before its work.
import type { HEALTH_PROVIDERS, OPERATION_STEP_STATUSES } from '@holdfast/contract/enums';
import type { NumberedStep } from '@holdfast/contract/step-words';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperationId } from '@holdfast/kernel/ids';
import { sql } from '../platform/database/sql.ts';
import type { Tx } from '../platform/database/transact.ts';
import type { Attempt } from './operation.ts';

type StepStatus = (typeof OPERATION_STEP_STATUSES)[number];

/** The stored result of a step: its value, or why a provider refused it. */
export interface StoredResult {
  readonly value?: unknown;
  readonly code?: string;
  readonly reason?: string;
}

export interface Step {
  readonly status: StepStatus;
  readonly result: StoredResult | null;
  readonly startedAt: Instant;
}

/** All markers of earlier attempts. From then on only the attempt that read them writes them. */
export async function readSteps(tx: Tx, operationId: OperationId): Promise<Map<string, Step>> {
  const rows = await tx.query<Omit<Step, 'startedAt'> & { name: string; started_at: Instant }>(sql`
    select name, status, result, started_at from operation_step
    where marketplace_id = ${tx.marketplace} and operation_id = ${operationId}`);
  return new Map(
    rows.map(({ name, status, result, started_at: startedAt }) => [
      name,
      { status, result, startedAt },
    ]),
  );
}

/** What a step does outside the books. */
export interface ProviderCall {
  /** Null for a step that only waits for another operation. */
  readonly provider: (typeof HEALTH_PROVIDERS)[number] | null;
  /** Once the step is done, the operation never rolls back. */
  readonly movesMoney?: boolean;
}

/**
 * Runs before a provider is called: after a crash the next attempt knows that the call may have
 * happened.
 */
export async function claimStep(
  tx: Tx,
  { operationId, epoch }: Attempt,
  name: string,
  purpose: string,
  { provider, movesMoney = false }: ProviderCall,
): Promise<void> {
  await tx.query(sql`
    insert into operation_step (marketplace_id, operation_id, name, epoch, status, purpose, provider,
      moves_money, started_at)
    values (${tx.marketplace}, ${operationId}, ${name}, ${epoch}, 'CLAIMED', ${purpose}, ${provider},
      ${movesMoney}, ${instantText(tx.now)})`);
}

/** Marks a transaction of the operation as done, in that same transaction. */
export async function insertDoneStep(
  tx: Tx,
  { operationId, epoch }: Attempt,
  name: string,
  result: StoredResult,
): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into operation_step (marketplace_id, operation_id, name, epoch, status, result,
      moves_money, started_at, ended_at)
    values (${tx.marketplace}, ${operationId}, ${name}, ${epoch}, 'DONE', ${JSON.stringify(result)},
      false, ${now}, ${now})`);
}

export async function endStep(
  tx: Tx,
  { operationId }: Attempt,
  name: string,
  status: Exclude<StepStatus, 'CLAIMED'>,
  result: StoredResult,
): Promise<void> {
  await tx.query(sql`
    update operation_step set status = ${status}, result = ${JSON.stringify(result)},
      ended_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and operation_id = ${operationId} and name = ${name}
      and status = 'CLAIMED'`);
}

/** A refused step is tried again, because the operation cannot roll back. */
export async function reopenStep(tx: Tx, { operationId }: Attempt, name: string): Promise<void> {
  await tx.query(sql`
    update operation_step set status = 'CLAIMED', ended_at = null
    where marketplace_id = ${tx.marketplace} and operation_id = ${operationId} and name = ${name}
      and status = 'REFUSED'`);
}

export interface ListedStep {
  readonly name: string;
  readonly status: StepStatus;
  readonly movesMoney: boolean;
  /** Hash of the step's newest envelope. */
  readonly hash: string | null;
  /** The provider's own id of the object it created. */
  readonly providerReference: string | null;
  /** Why the provider refused. */
  readonly reason: string | null;
  readonly at: Instant;
}

export async function listSteps(tx: Tx, operationId: OperationId): Promise<readonly ListedStep[]> {
  return (await listStepsOf(tx, [operationId])).get(operationId) ?? [];
}

export async function listStepsOf(
  tx: Tx,
  operationIds: readonly OperationId[],
): Promise<ReadonlyMap<OperationId, readonly ListedStep[]>> {
  const rows = await tx.query<ListedStep & { operation_id: OperationId }>(sql`
    select s.operation_id, s.name, s.status, s.moves_money as "movesMoney",
      coalesce(s.ended_at, s.started_at) as at,
      s.result ->> 'reason' as reason,
      case json_typeof(s.result -> 'value') when 'object' then coalesce(
        s.result #>> '{value,contractId}', s.result #>> '{value,payoutId}',
        s.result #>> '{value,payinId}') end as "providerReference",
      (select e.hash from envelope e where e.marketplace_id = s.marketplace_id
        and e.purpose = s.purpose order by e.attempt desc limit 1) as hash
    from operation_step s
    where s.marketplace_id = ${tx.marketplace} and s.operation_id = any(${operationIds})
    order by s.started_at, s.name`);
  const found = new Map<OperationId, ListedStep[]>();
  for (const { operation_id: id, ...step } of rows) found.set(id, [...(found.get(id) ?? []), step]);
  return found;
}

/** Whether any operation on a resource has taken this step, for the whole or for one part. */
export async function hasTakenStep(
  tx: Tx,
  resourceId: string,
  name: NumberedStep,
): Promise<boolean> {
  const found = await tx.query(sql`
    select from operation o
    join operation_step s on s.marketplace_id = o.marketplace_id and s.operation_id = o.id
    where o.marketplace_id = ${tx.marketplace} and o.resource_id = ${resourceId}
      and s.status = 'DONE' and s.name ~ ('^' || ${name} || '(-[0-9]+)?$')
    limit 1`);
  return found.length > 0;
}
