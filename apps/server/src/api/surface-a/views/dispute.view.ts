//! Response view of a dispute. A decision that is still being executed is not shown.
import type {
  DisputeEvidenceView,
  DisputeView,
  ListedDisputeView,
} from '@holdfast/contract/records/order-records';
import { instantText } from '@holdfast/kernel/clock';
import type {
  getDispute,
  listDisputeEvidence,
  listDisputes,
} from '../../../orders/disputes/read-disputes.ts';

type Dispute = Awaited<ReturnType<typeof getDispute>>;
type Evidence = Awaited<ReturnType<typeof listDisputeEvidence>>['items'][number];
type ListedDispute = Awaited<ReturnType<typeof listDisputes>>['items'][number];

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
    resolvedAt: instantText(resolvedAt),
    createdAt: instantText(dispute.createdAt),
    updatedAt: instantText(dispute.updatedAt),
  };
}

export function listedDisputeView(dispute: ListedDispute): ListedDisputeView {
  const { orderTitle, amount } = dispute;
  const about = { orderTitle, amount: amount.text, currency: amount.currency };
  return { ...disputeView(dispute), ...about };
}

export function disputeEvidenceView(submission: Evidence): DisputeEvidenceView {
  return {
    id: submission.id,
    disputeId: submission.disputeId,
    party: submission.party,
    statement: submission.statement,
    evidence: [...submission.evidence],
    addedBy: submission.addedBy,
    createdAt: instantText(submission.createdAt),
  };
}
