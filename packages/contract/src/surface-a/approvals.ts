//! Approvals: requests that need a second approver, and the decisions on them. Platform admins who
//! name no marketplace decide on the requests of other platform admins.
import { Type } from 'typebox';
import { type Endpoint, ownEndpoint } from '#endpoint';
import { closed, createdBetween, id, listQuery, oneOf, optionalBody, optionalText } from '#fields';
import { LENGTHS } from '#limits';
import { statesOf } from '#machine';
import { approvalMachine } from '#machines/approval-machine';
import { ApprovalView } from '#records/operator-records';
import { ANY_ACTING } from '#roles';
import { balanceEndpoints } from '#surface-a/balances';
import { disputeEndpoints } from '#surface-a/disputes';
import { escrowEndpoints } from '#surface-a/escrow';
import { marketplaceEndpoints } from '#surface-a/marketplaces';
import { operatorUserEndpoints } from '#surface-a/operator-users';
import { operatorEndpoints } from '#surface-a/operators';
import { reconciliationEndpoints } from '#surface-a/reconciliation';
import { solvencyEndpoints } from '#surface-a/solvency';
import { withdrawalEndpoints } from '#surface-a/withdrawals';

const approval = closed({ id: id('apr') });
const why = () => optionalBody({ reason: Type.Optional(optionalText(LENGTHS.reason)) });

/** The endpoints that can require a second approver: approving executes the call. */
const approvable = Object.values<Endpoint>({
  ...balanceEndpoints,
  ...escrowEndpoints,
  ...disputeEndpoints,
  ...withdrawalEndpoints,
  ...reconciliationEndpoints,
  ...marketplaceEndpoints,
  ...operatorUserEndpoints,
  ...operatorEndpoints,
  ...solvencyEndpoints,
}).filter(({ secondApprover }) => secondApprover !== undefined);

export const approvalEndpoints = {
  listApprovals: ownEndpoint('listApprovals', 'GET', '/approvals', {
    scope: 'read',
    platform: true,
    summary: 'List approval requests, newest first',
    query: listQuery('apr', {
      status: Type.Optional(oneOf(statesOf(approvalMachine))),
      resourceId: Type.Optional(Type.String({ maxLength: LENGTHS.reference })),
      requestedBy: Type.Optional(id('opr')),
      ...createdBetween,
    }),
    success: { status: 200, data: ApprovalView, list: true },
  }),
  getApproval: ownEndpoint('getApproval', 'GET', '/approvals/{id}', {
    scope: 'read',
    platform: true,
    summary: 'Get an approval',
    params: approval,
    success: { status: 200, data: ApprovalView },
    errors: ['APPROVAL_NOT_FOUND'],
  }),
  approve: ownEndpoint('approve', 'POST', '/approvals/{id}/approve', {
    scope: 'operator',
    platform: true,
    operators: ANY_ACTING,
    executesOther: true,
    summary: 'Approve a request as the second approver, and execute it',
    params: approval,
    body: why(),
    success: { status: 200, data: ApprovalView },
    errors: [
      'APPROVAL_NOT_FOUND',
      'SECOND_APPROVER_REQUIRED',
      'APPROVER_TOO_NEW',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
      ...new Set(approvable.flatMap(({ errors }) => errors)),
    ],
    emits: [...new Set(approvable.flatMap(({ emits }) => emits))],
  }),
  reject: ownEndpoint('reject', 'POST', '/approvals/{id}/reject', {
    scope: 'operator',
    platform: true,
    operators: ANY_ACTING,
    summary:
      'Reject a request as the second approver, also after an approval that was not executed',
    params: approval,
    body: why(),
    success: { status: 200, data: ApprovalView },
    errors: [
      'APPROVAL_NOT_FOUND',
      'SECOND_APPROVER_REQUIRED',
      'APPROVER_TOO_NEW',
      'INVALID_STATE',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
    ],
  }),
};
