//! Has an open operation driven at once: POST /operations/{id}/ask-now.
//!
//! As the sweeper does with one whose drive was lost: a new epoch, and the same drive again. While
//! a drive is at it there is nothing to hasten.
import { refuse } from '@holdfast/contract/errors';
import { instantText } from '@holdfast/kernel/clock';
import type { OperationId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import type { Engine } from './engine.ts';
import { type OperationDetail, operationDetail } from './get-operation.ts';
import {
  findOperation,
  isAtWork,
  isOpen,
  type Operation,
  postponeOperation,
  takeOverOperation,
} from './operation.ts';
import { SILENT_MS } from './sweep-operations.ts';

export interface Hastener extends Transactor {
  readonly engine: Engine;
}

export async function askOperationNow(
  app: Hastener,
  call: Call,
  operationId: OperationId,
  { reason }: { readonly reason: string },
): Promise<OperationDetail> {
  await app.engine.checkUp();
  let taken: Operation | undefined;
  const detail = await transact(app, call, async (tx) => {
    taken = undefined;
    const operation =
      (await findOperation(tx, operationId)) ?? refuse('OPERATION_NOT_FOUND', { operationId });
    const { status, resourceType, resourceId, epoch, attempts, nextTryAt } = operation;
    if (!isOpen(operation))
      refuse('INVALID_STATE', {
        resource: 'operation',
        id: operationId,
        state: status,
        allowed: ['RUNNING', 'RAISED'],
        reason: 'it has ended',
      });
    if (!(await isAtWork(tx, operation, tx.now - SILENT_MS))) {
      await postponeOperation(tx, { operationId, epoch, attempt: attempts }, tx.now);
      taken = await takeOverOperation(tx, operation);
    }
    await audit(tx, {
      action: 'OPERATION_HASTENED',
      resourceType,
      resourceId,
      before: { attempts, nextTryAt: instantText(nextTryAt) },
      after: { operationId, isDrivenAnew: taken !== undefined },
      reason,
    });
    return operationDetail(tx, taken ?? operation);
  });
  // Committed: should this submission be lost, the sweeper finds the new epoch silent.
  if (taken !== undefined) await app.engine.submit(taken);
  return detail;
}
