//! Reads operations and their steps.
import { refuse } from '@holdfast/contract/errors';
import type { OperationId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../platform/database/page.ts';
import { read, type Transactor, type Tx } from '../platform/database/transact.ts';
import { shownTo } from '../platform/mask.ts';
import { findOperation, isOpen, type Operation } from './operation.ts';
import { findOperations, listOperationIds, type OperationFilter } from './operation-list.ts';
import { type ListedStep, listSteps, listStepsOf } from './operation-step.ts';

export interface OperationDetail extends Operation {
  /** A provider's outcome is unknown, and another attempt will check it. */
  readonly isUnknown: boolean;
  readonly steps: readonly ListedStep[];
}

/** GET /operations/{id}: with its steps. */
export async function getOperation(
  app: Transactor,
  call: Call,
  operationId: OperationId,
): Promise<OperationDetail> {
  return read(app, call, async (tx) => {
    const operation =
      (await findOperation(tx, operationId)) ?? refuse('OPERATION_NOT_FOUND', { operationId });
    return operationDetail(tx, operation);
  });
}

export async function operationDetail(tx: Tx, operation: Operation): Promise<OperationDetail> {
  return detailOf(tx, operation, await listSteps(tx, operation.id));
}

function detailOf(
  { now, actor }: Pick<Tx, 'now' | 'actor'>,
  operation: Operation,
  steps: readonly ListedStep[],
): OperationDetail {
  const { attempts, nextTryAt } = operation;
  // An attempt without a result postpones the next one; the first was due at creation.
  const isWaiting = attempts > 1 || (attempts === 1 && nextTryAt > now);
  const isUnknown = isOpen(operation) && isWaiting;
  return { ...operation, isUnknown, steps: shownTo(actor, steps) };
}

/** GET /operations: newest first. */
export async function listOperations(
  app: Transactor,
  call: Call,
  query: PageQuery & OperationFilter,
): Promise<Page<OperationDetail>> {
  return read(app, call, async (tx) => {
    const page = await pageOf(query, (after, count) => listOperationIds(tx, query, after, count));
    const ids = page.items.map(({ id }) => id);
    const steps = await listStepsOf(tx, ids);
    const items = (await findOperations(tx, ids)).map((operation) =>
      detailOf(tx, operation, steps.get(operation.id) ?? []),
    );
    return { ...page, items };
  });
}
