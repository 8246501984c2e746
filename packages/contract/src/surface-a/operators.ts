//! Operators: people who sign in, their roles, and the calls that manage them.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { OPERATOR_ROLES } from '#enums';
import { closed, email, id, instant, listQuery, oneOf, optionalBody, ownCode, text } from '#fields';
import { LENGTHS } from '#limits';
import {
  EnrolledView,
  EnrollmentView,
  NewOperatorView,
  OpenSessionView,
  OperatorNameView,
  OperatorSessionView,
  OperatorView,
} from '#records/operator-records';

const operator = closed({ id: id('opr') });
const password = () =>
  Type.String({ maxLength: LENGTHS.password, pattern: '^[^\\u0000]*$', format: 'password' });
const newPassword = () =>
  Type.String({
    minLength: LENGTHS.operatorPassword,
    examples: ['correct horse battery'],
    maxLength: LENGTHS.password,
    pattern: '^[^\\u0000]*$',
    format: 'password',
  });
/** 32 random bytes in base64url: the part of the link after `#`. */
const invitationToken = () =>
  Type.String({
    maxLength: 100,
    pattern: '^[\\w-]{43}$',
    examples: ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    description: 'The part of the link after `#`.',
  });
const confirmationCode = () =>
  Type.String({
    maxLength: 20,
    pattern: '^[0-9A-Za-z]{4}[- ]?[0-9A-Za-z]{4}$',
    examples: ['7K3M-Q2XD'],
    description: 'The code that the person saw. Hyphen, space and case do not matter.',
  });
const totp = () => Type.String({ maxLength: 10, pattern: '^\\d{6}$', examples: ['123456'] });
const memberships = () =>
  Type.Array(closed({ marketplaceId: id('mkt'), role: oneOf(OPERATOR_ROLES) }), { maxItems: 100 });

export const operatorEndpoints = {
  signIn: ownEndpoint('signIn', 'POST', '/operators/sign-in', {
    scope: 'public',
    worksDuringRecovery: true,
    sameOrigin: true,
    summary: 'Sign in as an operator; the response sets the session cookie',
    body: closed({ email: email(), password: password(), totp: totp() }),
    success: { status: 200, data: OperatorSessionView },
    errors: ['SIGN_IN_REFUSED', 'CSRF_REQUIRED'],
  }),
  signOut: ownEndpoint('signOut', 'POST', '/operators/sign-out', {
    scope: 'session',
    worksDuringRecovery: true,
    summary: 'End the session',
    bodyRead: 'none',
    success: { status: 200, data: closed({ signedOutAt: instant() }) },
  }),
  getSession: ownEndpoint('getSession', 'GET', '/operators/me', {
    scope: 'session',
    summary: 'Get the current session: operator, marketplaces and CSRF token',
    success: { status: 200, data: OperatorSessionView },
  }),
  changePassword: ownEndpoint('changePassword', 'POST', '/operators/me/password', {
    scope: 'session',
    summary: 'Change the password; all other sessions end',
    body: closed({ password: password(), newPassword: newPassword(), totp: totp() }),
    success: { status: 200, data: OperatorView },
    errors: ['SIGN_IN_REFUSED'],
  }),
  listSessions: ownEndpoint('listSessions', 'GET', '/operators/me/sessions', {
    scope: 'session',
    summary: 'List your open sessions, newest first',
    success: { status: 200, data: closed({ sessions: Type.Array(OpenSessionView) }) },
  }),
  endSession: ownEndpoint('endSession', 'DELETE', '/operators/me/sessions/{id}', {
    scope: 'session',
    summary: 'End one of your sessions',
    params: closed({ id: id('ses') }),
    bodyRead: 'none',
    success: { status: 200, data: closed({ signedOutAt: instant() }) },
    errors: ['SESSION_NOT_FOUND'],
  }),
  openInvitation: ownEndpoint('openInvitation', 'POST', '/operators/enrollment', {
    scope: 'public',
    sameOrigin: true,
    summary: 'Open an invitation; returns a new two-factor secret, which replaces the one before',
    body: closed({ token: invitationToken() }),
    success: { status: 200, data: EnrollmentView },
    errors: ['INVITATION_INVALID', 'CSRF_REQUIRED'],
  }),
  enroll: ownEndpoint('enroll', 'POST', '/operators/enrollment/complete', {
    scope: 'public',
    sameOrigin: true,
    summary: 'Set password and two-factor authentication; the invitation is used up',
    body: closed({ token: invitationToken(), password: newPassword(), totp: totp() }),
    success: { status: 200, data: EnrolledView },
    errors: ['INVITATION_INVALID', 'CSRF_REQUIRED'],
  }),
  createOperator: ownEndpoint('createOperator', 'POST', '/operators', {
    scope: 'platform',
    master: true,
    idempotent: true,
    summary: 'Invite an operator; the link for the person is shown once',
    body: closed({
      email: email(),
      name: text(LENGTHS.name),
      password: Type.Optional(
        Type.String({
          ...newPassword(),
          description:
            'In development only: creates an active operator without an invitation, and returns the two-factor secret.',
        }),
      ),
      isPlatformAdmin: Type.Optional(Type.Boolean()),
      memberships: Type.Optional(memberships()),
      totp: ownCode(),
    }),
    success: { status: 201, data: NewOperatorView },
    errors: [
      'OPERATOR_EXISTS',
      'MARKETPLACE_NOT_FOUND',
      'SIGN_IN_REFUSED',
      'PLATFORM_ADMIN_REQUIRED',
    ],
  }),
  listOperators: ownEndpoint('listOperators', 'GET', '/operators', {
    scope: 'platform',
    master: true,
    summary: 'List operators, newest first',
    query: listQuery('opr', {}),
    success: { status: 200, data: OperatorView, list: true },
  }),
  listOperatorNames: ownEndpoint('listOperatorNames', 'GET', '/operators/names', {
    scope: 'read',
    summary:
      'List the names of current and former operators of the marketplace, and of platform admins',
    query: listQuery('opr', {}),
    success: { status: 200, data: OperatorNameView, list: true },
  }),
  setMemberships: ownEndpoint('setMemberships', 'PUT', '/operators/{id}/memberships', {
    scope: 'platform',
    master: true,
    secondApprover: 'increase',
    idempotent: true,
    summary:
      'Set all marketplace roles of an operator; more than before needs another platform admin',
    params: operator,
    body: closed({ memberships: memberships(), totp: ownCode() }),
    success: { status: 200, data: OperatorView },
    errors: [
      'OPERATOR_NOT_FOUND',
      'MARKETPLACE_NOT_FOUND',
      'SIGN_IN_REFUSED',
      'PLATFORM_ADMIN_REQUIRED',
    ],
  }),
  setOperatorStatus: ownEndpoint('setOperatorStatus', 'PUT', '/operators/{id}/status', {
    scope: 'platform',
    master: true,
    secondApprover: 'increase',
    idempotent: true,
    summary:
      'Disable an operator, which ends all sessions, or enable one, which needs another platform admin',
    params: operator,
    body: closed({ status: oneOf(['ACTIVE', 'DISABLED'] as const), totp: ownCode() }),
    success: { status: 200, data: OperatorView },
    errors: ['OPERATOR_NOT_FOUND', 'INVALID_STATE', 'SIGN_IN_REFUSED', 'PLATFORM_ADMIN_REQUIRED'],
  }),
  activateOperator: ownEndpoint('activateOperator', 'POST', '/operators/{id}/activate', {
    scope: 'platform',
    master: true,
    idempotent: true,
    summary: 'Activate an enrolled operator, with the confirmation code of the person',
    params: operator,
    body: closed({ code: confirmationCode(), totp: ownCode() }),
    success: { status: 200, data: OperatorView },
    errors: [
      'OPERATOR_NOT_FOUND',
      'INVALID_STATE',
      'CONFIRMATION_CODE_INVALID',
      'SECOND_APPROVER_REQUIRED',
      'APPROVER_TOO_NEW',
      'PLATFORM_ADMIN_REQUIRED',
      'SIGN_IN_REFUSED',
    ],
  }),
  resetOperator: ownEndpoint('resetOperator', 'POST', '/operators/{id}/reset', {
    scope: 'platform',
    master: true,
    idempotent: true,
    summary: 'Delete the credentials of an operator, end all sessions and invite them again',
    params: operator,
    body: optionalBody({ totp: ownCode() }),
    success: { status: 200, data: NewOperatorView },
    errors: ['OPERATOR_NOT_FOUND', 'SIGN_IN_REFUSED', 'PLATFORM_ADMIN_REQUIRED'],
  }),
};
