//! A dispute as it goes out. A decision that is still being carried out is not told.
import type { DisputeView } from '@holdfast/contract/order-records';
import { instantText } from '@holdfast/kernel/clock';
import type { getDispute } from '../orders/get-dispute.ts';

type Dispute = Awaited<ReturnType<typeof getDispute>>;

export function disputeView(dispute: Dispute): DisputeView {
  const { resolvedAt } = dispute;
  const decided = resolvedAt === null ? null : dispute.claim;
  return {
    id: dispute.id,
    orderId: dispute.orderId,
    openedBy: dispute.openedBy,
    reason: dispute.reason,
    evidence: dispute.evidence === null ? null : [...dispute.evidence],
    status: dispute.status,
    assignedTo: dispute.assignedTo,
    resolutionDecision: decided?.decision ?? null,
    decisionNote: decided?.note ?? null,
    releaseAmount: decided?.releaseAmount.text ?? null,
    refundAmount: decided?.refundAmount.text ?? null,
    resolvedBy: decided?.claimedBy ?? null,
    resolvedAt: resolvedAt === null ? null : instantText(resolvedAt),
    createdAt: instantText(dispute.createdAt),
    updatedAt: instantText(dispute.updatedAt),
  };
}
