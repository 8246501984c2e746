//! Retries an open operation at once: POST /operations/{id}/retry.
//!
//! Works as the sweeper does for a lost attempt: a new epoch, and the same saga again. While an
//! attempt is running, nothing changes.
import { refuse } from '@holdfast/contract/errors';
import { instantText } from '@holdfast/kernel/clock';
import type { OperationId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/database/transact.ts';
import { audit } from '../record/audit/audit-entry.ts';
import type { Engine } from './engine.ts';
import { hasLiveAttempt } from './live-attempt.ts';
import {
  findOperation,
  isOpen,
  type Operation,
  postponeOperation,
  takeOverOperation,
} from './operation.ts';
import { type OperationDetail, operationDetail } from './read-operations.ts';
import { SILENT_MS } from './sweep-operations.ts';

export interface RetryDeps extends Transactor {
  readonly engine: Engine;
}

export async function retryOperation(
  app: RetryDeps,
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
        allowed: ['RUNNING', 'ESCALATED'],
        reason: 'the operation has ended',
      });
    if (!(await hasLiveAttempt(tx, operation, tx.now - SILENT_MS))) {
      await postponeOperation(tx, { operationId, epoch, attempt: attempts }, tx.now);
      taken = await takeOverOperation(tx, operation);
    }
    await audit(tx, {
      action: 'OPERATION_RETRIED',
      resourceType,
      resourceId,
      before: { attempts, nextTryAt: instantText(nextTryAt) },
      after: { operationId, wasTakenOver: taken !== undefined },
      reason,
    });
    return operationDetail(tx, taken ?? operation);
  });
  // Committed: if this submission is lost, the sweeper finds the new epoch silent.
  if (taken !== undefined) await app.engine.submit(taken);
  return detail;
}
