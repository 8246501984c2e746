//! Routes of approvals, which a second operator decides.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { rolesOf } from '@holdfast/contract/roles';
import { surfaceA } from '@holdfast/contract/surface-a';
import { assert } from '@holdfast/kernel/assert';
import { getApproval, listApprovals } from '../../access/approvals/read-approvals.ts';
import { type ApprovalExecutor, resolveApproval } from '../../access/approvals/resolve-approval.ts';
import type { App } from '../../app/wire.ts';
import { approvalScope } from '../http/approval-gate.ts';
import type { Surface } from '../http/serve.ts';
import { approvalView } from './views/approval.view.ts';

const byId = new Map<string, Endpoint>(Object.entries<Endpoint>(surfaceA));

export function approvalRoutes(surface: Surface, app: App): void {
  const executor: ApprovalExecutor = {
    rolesOf: (action) => {
      const endpoint = byId.get(action);
      return endpoint === undefined ? [] : rolesOf(endpoint);
    },
    scopeOf: ({ id, action }) => {
      const endpoint = byId.get(action);
      assert(endpoint !== undefined, `${action} is in the contract`);
      return approvalScope(endpoint, id);
    },
    execute: ({ id, action, request }, { actor, requestId, beforeCommit }) =>
      surface.executeApproved({
        approvalId: id,
        endpointId: action,
        input: request,
        actor,
        requestId,
        beforeCommit,
      }),
  };
  surface.serveList(surfaceA.listApprovals, {
    run: (call, { query }) => listApprovals(app, call, query),
    item: approvalView,
  });
  surface.serve(surfaceA.getApproval, {
    run: (call, { params }) => getApproval(app, call, params.id),
    respond: (approval) => ({ data: approvalView(approval) }),
  });
  surface.serve(surfaceA.approve, {
    run: (call, { params }) => resolveApproval(app, executor, call, params.id, 'approve'),
    respond: (approval) => ({ data: approvalView(approval) }),
  });
  surface.serve(surfaceA.reject, {
    run: (call, { params }) => resolveApproval(app, executor, call, params.id, 'reject'),
    respond: (approval) => ({ data: approvalView(approval) }),
  });
}
