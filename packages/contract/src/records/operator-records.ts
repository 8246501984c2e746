//! The records that Surface A returns about operators and their approvals.
import { type Static, Type } from 'typebox';
import { OPERATOR_ROLES, OPERATOR_STATUSES } from '#enums';
import { amount, currency, id, instant, nullable, oneOf, openObject, record } from '#fields';
import { statesOf } from '#machine';
import { approvalMachine } from '#machines/approval-machine';

const words = () => nullable(Type.String());
const when = () => nullable(instant());

export const MembershipView = record('Membership', {
  marketplaceId: id('mkt'),
  marketplaceName: Type.String(),
  role: oneOf(OPERATOR_ROLES),
});
export type MembershipView = Static<typeof MembershipView>;

export const OperatorView = record('Operator', {
  id: id('opr'),
  email: Type.String(),
  name: Type.String(),
  status: oneOf(OPERATOR_STATUSES),
  isPlatformAdmin: Type.Boolean(),
  memberships: Type.Array(MembershipView),
  lastSignedInAt: when(),
  createdAt: instant(),
});
export type OperatorView = Static<typeof OperatorView>;

/** An operator as other members of the marketplace see them: by name only. */
export const OperatorNameView = record('OperatorName', { id: id('opr'), name: Type.String() });
export type OperatorNameView = Static<typeof OperatorNameView>;

/** The secret is returned once: a repeat under the same Idempotency-Key comes without it. */
export const NewOperatorView = record('NewOperator', {
  operator: OperatorView,
  totpSecret: Type.Optional(Type.String()),
  totpUri: Type.Optional(Type.String()),
});
export type NewOperatorView = Static<typeof NewOperatorView>;

export const OperatorSessionView = record('OperatorSession', {
  operator: OperatorView,
  csrfToken: Type.String(),
  expiresAt: instant(),
  idleSeconds: Type.Integer(),
  approvalLimit: nullable(amount()),
});
export type OperatorSessionView = Static<typeof OperatorSessionView>;

/** An open session, as its operator sees it. */
export const OpenSessionView = record('OpenSession', {
  id: id('ses'),
  isCurrent: Type.Boolean({ description: 'The session of this request.' }),
  address: Type.String({ description: 'The IP address of the sign-in.' }),
  userAgent: Type.String(),
  createdAt: instant(),
  lastSeenAt: instant(),
  expiresAt: instant(),
});
export type OpenSessionView = Static<typeof OpenSessionView>;

const PersonView = record('Person', { id: id('opr'), email: Type.String(), name: Type.String() });

export const ApprovalView = record('Approval', {
  id: id('apr'),
  status: oneOf(statesOf(approvalMachine)),
  action: Type.String({ description: 'The endpoint that was called.' }),
  resourceId: Type.String({ description: 'The resource in its path.' }),
  /** Null where the action is about no amount of money. */
  amount: nullable(amount()),
  currency: nullable(currency()),
  request: openObject('Path, query and body as they were sent.'),
  reason: Type.String(),
  requestedBy: PersonView,
  decidedBy: nullable(PersonView),
  decisionReason: words(),
  decidedAt: when(),
  refusalCode: words(),
  expiresAt: instant(),
  createdAt: instant(),
  updatedAt: instant(),
});
export type ApprovalView = Static<typeof ApprovalView>;
