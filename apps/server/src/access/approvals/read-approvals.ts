//! Reads approvals.
import { refuse } from '@holdfast/contract/errors';
import type { ApprovalId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Approval, type ApprovalFilter, findApproval, listApprovalRows } from './approval.ts';

/** GET /approvals/{id}. */
export async function getApproval(
  app: Transactor,
  call: Call,
  approvalId: ApprovalId,
): Promise<Approval> {
  const found = await read(app, call, (tx) => findApproval(tx, approvalId));
  return found ?? refuse('APPROVAL_NOT_FOUND', { approvalId });
}

/** GET /approvals: newest first. */
export async function listApprovals(
  app: Transactor,
  call: Call,
  query: PageQuery & ApprovalFilter,
): Promise<Page<Approval>> {
  return read(app, call, (tx) =>
    pageOf(query, (after, count) => listApprovalRows(tx, query, after, count)),
  );
}
