//! Gets an operation and its steps: GET /operations/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { OperationId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor, type Tx } from '../platform/database/transact.ts';
import { shownTo } from '../platform/mask.ts';
import { findOperation, isOpen, type Operation } from './operation.ts';
import { type ListedStep, listSteps } from './operation-step.ts';

export interface OperationDetail extends Operation {
  /** A provider's outcome is unknown, and another attempt will check it. */
  readonly isUnknown: boolean;
  readonly steps: readonly ListedStep[];
}

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

export function detailOf(
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
