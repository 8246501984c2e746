//! Lists approvals, newest first: GET /approvals.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Approval, type ApprovalFilter, listApprovalRows } from './approval.ts';

export async function listApprovals(
  app: Transactor,
  call: Call,
  query: PageQuery & ApprovalFilter,
): Promise<Page<Approval>> {
  return read(app, call, (tx) =>
    pageOf(query, (after, count) => listApprovalRows(tx, query, after, count)),
  );
}
