//! Gets an operation and its steps: GET /operations/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { OperationId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { findOperation, type Operation } from './operation.ts';
import { type ListedStep, listSteps } from './operation-step.ts';

export interface OperationDetail extends Operation {
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
    return { ...operation, steps: await listSteps(tx, operationId) };
  });
}
