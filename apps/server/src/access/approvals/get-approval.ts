//! Gets an approval: GET /approvals/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { ApprovalId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Approval, findApproval } from './approval.ts';

export async function getApproval(
  app: Transactor,
  call: Call,
  approvalId: ApprovalId,
): Promise<Approval> {
  const found = await read(app, call, (tx) => findApproval(tx, approvalId));
  return found ?? refuse('APPROVAL_NOT_FOUND', { approvalId });
}
