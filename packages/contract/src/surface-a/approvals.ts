//! What needs a second person, and how that one decides.
import { Type } from 'typebox';
import { approvalMachine } from '#approval-machine';
import { type Endpoint, endpoint } from '#endpoint';
import { closed, createdBetween, id, listQuery, oneOf, optionalBody, optionalText } from '#fields';
import { LENGTHS } from '#limits';
import { statesOf } from '#machine';
import { ApprovalView } from '#operator-records';
import { ANY_ACTING } from '#roles';
import { balanceEndpoints } from '#surface-a/balances';
import { disputeEndpoints } from '#surface-a/disputes';
import { escrowEndpoints } from '#surface-a/escrow';
import { reconciliationEndpoints } from '#surface-a/reconciliation';
import { withdrawalEndpoints } from '#surface-a/withdrawals';

const approval = closed({ id: id('apr') });
const why = () => optionalBody({ reason: Type.Optional(optionalText(LENGTHS.reason)) });

/** What a second person may be asked to agree to: approving it does it. */
const asked = Object.values<Endpoint>({
  ...balanceEndpoints,
  ...escrowEndpoints,
  ...disputeEndpoints,
  ...withdrawalEndpoints,
  ...reconciliationEndpoints,
}).filter(({ secondPerson }) => secondPerson !== undefined);

export const approvalEndpoints = {
  listApprovals: endpoint('listApprovals', 'GET', '/approvals', {
    scope: 'read',
    origin: 'ours',
    summary: 'List what operators asked for that needs a second person, newest first',
    query: listQuery('apr', {
      status: Type.Optional(oneOf(statesOf(approvalMachine))),
      resourceId: Type.Optional(Type.String({ maxLength: LENGTHS.reference })),
      requestedBy: Type.Optional(id('opr')),
      ...createdBetween,
    }),
    success: { status: 200, data: ApprovalView, list: true },
  }),
  getApproval: endpoint('getApproval', 'GET', '/approvals/{id}', {
    scope: 'read',
    origin: 'ours',
    summary: 'Get an approval',
    params: approval,
    success: { status: 200, data: ApprovalView },
    errors: ['APPROVAL_NOT_FOUND'],
  }),
  approve: endpoint('approve', 'POST', '/approvals/{id}/approve', {
    scope: 'operator',
    operators: ANY_ACTING,
    origin: 'ours',
    summary: 'Agree as the second person, and carry out what was asked for',
    params: approval,
    body: why(),
    success: { status: 200, data: ApprovalView },
    errors: [
      'APPROVAL_NOT_FOUND',
      'SECOND_PERSON_REQUIRED',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
      ...new Set(asked.flatMap(({ errors }) => errors)),
    ],
    emits: [...new Set(asked.flatMap(({ emits }) => emits))],
  }),
  reject: endpoint('reject', 'POST', '/approvals/{id}/reject', {
    scope: 'operator',
    operators: ANY_ACTING,
    origin: 'ours',
    summary: 'Disagree as the second person, also after an approval that nothing came of',
    params: approval,
    body: why(),
    success: { status: 200, data: ApprovalView },
    errors: [
      'APPROVAL_NOT_FOUND',
      'SECOND_PERSON_REQUIRED',
      'INVALID_STATE',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
    ],
  }),
};
