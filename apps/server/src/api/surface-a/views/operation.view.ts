//! Response view of an operation.
import type { OperationView } from '@holdfast/contract/records/operation-records';
import { instantText } from '@holdfast/kernel/clock';
import type { OperationDetail } from '../../../engine/read-operations.ts';

export function operationView(operation: OperationDetail): OperationView {
  const { id, kind, resourceType, resourceId, status, refusal, escalatedAt, steps } = operation;
  const isOver = status === 'DONE' || status === 'REFUSED';
  return {
    id,
    kind,
    resourceType,
    resourceId,
    status,
    refusalCode: refusal?.code ?? null,
    escalatedAt: instantText(escalatedAt),
    isUnknown: operation.isUnknown,
    hasMovedMoney: operation.hasMovedMoney,
    attempts: operation.attempts,
    nextTryAt: isOver ? null : instantText(operation.nextTryAt),
    startedBy: operation.actorId,
    requestId: operation.correlationId,
    steps: steps.map(({ name, status: stepStatus, hash, providerReference, reason, at }) => ({
      name,
      status: stepStatus,
      hash,
      providerReference,
      reason,
      at: instantText(at),
    })),
    createdAt: instantText(operation.createdAt),
    updatedAt: instantText(operation.updatedAt),
  };
}
