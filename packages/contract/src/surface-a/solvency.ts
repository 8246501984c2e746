//! Solvency: whether assets equal liabilities. The sums of the whole deployment cover every
//! marketplace, so they are for the master key, and for platform admins who name none. Operators of
//! a marketplace see its own part.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { CAPITAL_LOCATIONS, NETWORK_ASSETS } from '#enums';
import { closed, oneOf, ownCode, signedAmountInput, text } from '#fields';
import { LENGTHS } from '#limits';
import { CapitalView, SolvencyHistoryView, SolvencyView } from '#records/reconciliation-records';

export const solvencyEndpoints = {
  getSolvency: ownEndpoint('getSolvency', 'GET', '/solvency', {
    scope: 'read',
    master: true,
    platform: true,
    summary:
      'Get the latest solvency reading: of the whole deployment for the master key and for platform admins who name no marketplace, otherwise of the marketplace',
    success: { status: 200, data: SolvencyView },
  }),
  getSolvencyHistory: ownEndpoint('getSolvencyHistory', 'GET', '/solvency/history', {
    scope: 'read',
    master: true,
    platform: true,
    summary: 'Get the results of solvency readings by hour, without amounts',
    query: closed({
      days: Type.Optional(
        Type.String({
          pattern: '^([1-9]|[12]\\d|30)$',
          description: 'Days of history, 1 to 30; default 7.',
          examples: ['7'],
        }),
      ),
    }),
    success: { status: 200, data: SolvencyHistoryView },
  }),
  pausePayouts: ownEndpoint('pausePayouts', 'POST', '/payouts/pause', {
    scope: 'master',
    platform: true,
    idempotent: true,
    summary: 'Pause the payouts of all marketplaces',
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: SolvencyView },
  }),
  resumePayouts: ownEndpoint('resumePayouts', 'POST', '/solvency/resume-payouts', {
    scope: 'master',
    platform: true,
    idempotent: true,
    summary:
      'Resume payouts; a platform admin only requests it until another one calls this as well',
    body: closed({ reason: text(LENGTHS.reason), totp: ownCode() }),
    success: { status: 200, data: SolvencyView },
    errors: [
      'INVALID_STATE',
      'SECOND_APPROVER_REQUIRED',
      'SIGN_IN_REFUSED',
      'APPROVER_TOO_NEW',
      'PLATFORM_ADMIN_REQUIRED',
    ],
  }),
  recordCapital: ownEndpoint('recordCapital', 'POST', '/solvency/capital', {
    scope: 'master',
    platform: true,
    secondApprover: 'always',
    idempotent: true,
    summary:
      'Record capital that the deployment owner paid in, or withdrew (a negative amount); a platform admin needs another one',
    body: closed({
      location: oneOf(CAPITAL_LOCATIONS),
      asset: oneOf(NETWORK_ASSETS),
      amount: signedAmountInput(),
      reason: text(LENGTHS.reason),
      totp: ownCode(),
    }),
    success: { status: 201, data: CapitalView },
    errors: ['INVALID_STATE', 'SIGN_IN_REFUSED', 'PLATFORM_ADMIN_REQUIRED'],
  }),
};
