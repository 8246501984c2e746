//! Solvency: whether what is there equals what is owed. The sums of the whole deployment tell of
//! every marketplace, so they are for the master key, and for platform admins who name none;
//! whoever works in a marketplace sees its own part.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { closed, oneOf, signedAmountInput, text } from '#fields';
import { LENGTHS } from '#limits';
import { CapitalView, SolvencyHistoryView, SolvencyView } from '#reconciliation-records';
import { CAPITAL_PLACES, NETWORK_ASSETS } from '#words';

export const solvencyEndpoints = {
  getSolvency: endpoint('getSolvency', 'GET', '/solvency', {
    scope: 'read',
    master: true,
    platform: true,
    origin: 'ours',
    summary: 'The newest reading: of the whole deployment for the platform, else the own part',
    success: { status: 200, data: SolvencyView },
  }),
  getSolvencyHistory: endpoint('getSolvencyHistory', 'GET', '/solvency/history', {
    scope: 'read',
    master: true,
    platform: true,
    origin: 'ours',
    summary: 'Tell hour by hour how the readings came out, without sums',
    query: closed({
      days: Type.Optional(
        Type.String({
          pattern: '^([1-9]|[12]\\d|30)$',
          description: 'Days of history, 1 to 30; 7 when absent.',
          examples: ['7'],
        }),
      ),
    }),
    success: { status: 200, data: SolvencyHistoryView },
  }),
  resumePayouts: endpoint('resumePayouts', 'POST', '/solvency/resume-payouts', {
    scope: 'master',
    platform: true,
    origin: 'ours',
    idempotent: true,
    summary: 'Let withdrawals go out again after a breach was dealt with',
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: SolvencyView },
    errors: ['INVALID_STATE'],
  }),
  recordCapital: endpoint('recordCapital', 'POST', '/solvency/capital', {
    scope: 'master',
    platform: true,
    origin: 'ours',
    idempotent: true,
    summary: 'Tell that the house put money in, or took it out (a negative amount)',
    body: closed({
      place: oneOf(CAPITAL_PLACES),
      asset: oneOf(NETWORK_ASSETS),
      amount: signedAmountInput(),
      reason: text(LENGTHS.reason),
    }),
    success: { status: 201, data: CapitalView },
    errors: ['INVALID_STATE'],
  }),
};
