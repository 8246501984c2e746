//! The records that Surface A returns about operators and their approvals.
import { type Static, Type } from 'typebox';
import { OPERATOR_ROLES } from '#enums';
import { amount, currency, id, instant, nullable, oneOf, openObject, record } from '#fields';
import { statesOf } from '#machine';
import { approvalMachine } from '#machines/approval-machine';
import { operatorMachine } from '#machines/operator-machine';

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
  status: oneOf(statesOf(operatorMachine)),
  isPlatformAdmin: Type.Boolean(),
  memberships: Type.Array(MembershipView),
  invitedBy: nullable(
    Type.String({
      description:
        'While the operator is not activated: who invited or reset them, and so cannot activate them. An operator id, or `master`.',
    }),
  ),
  invitationExpiresAt: when(),
  /** Until then the operator approves nothing. */
  approvesFrom: when(),
  lastSignedInAt: when(),
  createdAt: instant(),
});
export type OperatorView = Static<typeof OperatorView>;

/** An operator as other members of the marketplace see them: by name only. */
export const OperatorNameView = record('OperatorName', { id: id('opr'), name: Type.String() });
export type OperatorNameView = Static<typeof OperatorNameView>;

export const InvitationView = record('Invitation', {
  link: Type.String({
    description:
      'The page on which the person sets password and two-factor authentication. It works once. A path if HOLDFAST_PUBLIC_URL is not set.',
  }),
  expiresAt: instant(),
});
export type InvitationView = Static<typeof InvitationView>;

/**
 * Link and secret are returned once: a repeat under the same Idempotency-Key comes without them.
 * The secret exists only for an operator who was created with a password, in development.
 */
export const NewOperatorView = record('NewOperator', {
  operator: OperatorView,
  invitation: Type.Optional(InvitationView),
  totpSecret: Type.Optional(Type.String()),
  totpUri: Type.Optional(Type.String()),
});
export type NewOperatorView = Static<typeof NewOperatorView>;

/** What the person of an invitation needs to enroll. */
export const EnrollmentView = record('Enrollment', {
  email: Type.String(),
  name: Type.String(),
  totpSecret: Type.String({
    description: 'Each call returns a new one; only the last one counts.',
  }),
  totpUri: Type.String(),
  expiresAt: instant(),
});
export type EnrollmentView = Static<typeof EnrollmentView>;

export const EnrolledView = record('Enrolled', {
  email: Type.String(),
  name: Type.String(),
  confirmationCode: Type.String({
    description: 'The person gives it to the platform admin who activates them.',
  }),
});
export type EnrolledView = Static<typeof EnrolledView>;

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
