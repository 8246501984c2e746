//! Response views of operators.
import { SESSION_SECONDS } from '@holdfast/contract/limits';
import type {
  EnrollmentView,
  NewOperatorView,
  OpenSessionView,
  OperatorSessionView,
  OperatorView,
} from '@holdfast/contract/records/operator-records';
import { instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';
import type { IssuedOperator } from '../../../access/enrollment/create-operator.ts';
import type { OpenedInvitation } from '../../../access/enrollment/open-invitation.ts';
import type { CurrentSession, OpenSession } from '../../../access/operators/read-operators.ts';

export function operatorView(operator: IssuedOperator['operator']): OperatorView {
  const { id, email, name, status, isPlatformAdmin, memberships, lastSignedInAt } = operator;
  const { invitedBy, invitationExpiresAt, approvesFrom } = operator;
  return {
    id,
    email,
    name,
    status,
    isPlatformAdmin,
    memberships: [...memberships],
    invitedBy,
    invitationExpiresAt: instantText(invitationExpiresAt),
    approvesFrom: instantText(approvesFrom),
    lastSignedInAt: instantText(lastSignedInAt),
    createdAt: instantText(operator.createdAt),
  };
}

export function newOperatorView(issued: IssuedOperator): NewOperatorView {
  const { operator, invitation, ...secret } = issued;
  const shown = invitation && { ...invitation, expiresAt: instantText(invitation.expiresAt) };
  return { operator: operatorView(operator), ...(shown && { invitation: shown }), ...secret };
}

export function enrollmentView({ expiresAt, ...opened }: OpenedInvitation): EnrollmentView {
  return { ...opened, expiresAt: instantText(expiresAt) };
}

export function sessionView(
  { operator, session }: CurrentSession,
  approvalLimit: bigint | null,
): OperatorSessionView {
  return {
    operator: operatorView(operator),
    csrfToken: session.csrfToken,
    expiresAt: instantText(session.expiresAt),
    idleSeconds: SESSION_SECONDS.idle,
    approvalLimit: approvalLimit === null ? null : minorText(approvalLimit),
  };
}

export function openSessionView({
  createdAt,
  lastSeenAt,
  expiresAt,
  ...session
}: OpenSession): OpenSessionView {
  return {
    ...session,
    createdAt: instantText(createdAt),
    lastSeenAt: instantText(lastSeenAt),
    expiresAt: instantText(expiresAt),
  };
}
