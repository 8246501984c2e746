//! An operation as it goes out.
import type { OperationView } from '@holdfast/contract/records';
import { type Instant, instantText } from '@holdfast/kernel/clock';

type Step = OperationView['steps'][number];

interface Operation
  extends Pick<OperationView, 'id' | 'kind' | 'resourceType' | 'resourceId' | 'status'> {
  readonly refusal: { readonly code: string } | null;
  readonly raisedAt: Instant | null;
  readonly steps: readonly (Omit<Step, 'at'> & { readonly at: Instant })[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export function operationView(operation: Operation): OperationView {
  const { id, kind, resourceType, resourceId, status, refusal, raisedAt, steps } = operation;
  return {
    id,
    kind,
    resourceType,
    resourceId,
    status,
    refusalCode: refusal?.code ?? null,
    raisedAt: raisedAt === null ? null : instantText(raisedAt),
    steps: steps.map(({ name, status: stepStatus, hash, at }) => ({
      name,
      status: stepStatus,
      hash,
      at: instantText(at),
    })),
    createdAt: instantText(operation.createdAt),
    updatedAt: instantText(operation.updatedAt),
  };
}
