//! Solvency: whether what is there equals what is owed. The sums of the whole deployment are for
//! the master key, because they tell of every marketplace; a key sees its own marketplace's part.
import { endpoint } from '#endpoint';
import { closed, oneOf, signedAmountInput, text } from '#fields';
import { LENGTHS } from '#limits';
import { CapitalView, SolvencyView } from '#reconciliation-records';
import { CAPITAL_PLACES, NETWORK_ASSETS } from '#words';

export const solvencyEndpoints = {
  getSolvency: endpoint('getSolvency', 'GET', '/solvency', {
    scope: 'read',
    master: true,
    origin: 'ours',
    summary: 'The newest reading: the whole deployment with the master key, else the own part',
    success: { status: 200, data: SolvencyView },
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
