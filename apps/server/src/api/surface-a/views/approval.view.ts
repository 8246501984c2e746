//! Response views of approvals.
import type { ApprovalView } from '@holdfast/contract/records/operator-records';
import { instantText } from '@holdfast/kernel/clock';
import type { ApprovalExecutor } from '../../../access/approvals/resolve-approval.ts';

export type Approval = Parameters<ApprovalExecutor['execute']>[0];

export function approvalView(approval: Approval): ApprovalView {
  const { id, status, action, resourceId, amount, request, reason, decidedAt } = approval;
  return {
    id,
    status,
    action,
    resourceId,
    amount: amount?.text ?? null,
    currency: amount?.currency ?? null,
    request: { ...request },
    reason,
    requestedBy: approval.requestedBy,
    decidedBy: approval.decidedBy,
    decisionReason: approval.decisionReason,
    decidedAt: instantText(decidedAt),
    refusalCode: approval.refusalCode,
    expiresAt: instantText(approval.expiresAt),
    createdAt: instantText(approval.createdAt),
    updatedAt: instantText(approval.updatedAt),
  };
}
