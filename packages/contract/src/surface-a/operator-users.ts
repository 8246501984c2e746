//! Actions of an operator on a user: freeze, unfreeze, reveal personal data.
import { ownEndpoint } from '#endpoint';
import { closed, id, text } from '#fields';
import { LENGTHS } from '#limits';
import { UserView } from '#records';
import { ANY_ACTING } from '#roles';

const user = closed({ id: id('usr') });
const reason = closed({ reason: text(LENGTHS.reason) });

export const operatorUserEndpoints = {
  freezeUser: ownEndpoint('freezeUser', 'POST', '/users/{id}/freeze', {
    scope: 'support',
    operators: ANY_ACTING,
    idempotent: true,
    summary:
      'Freeze a user (status SUSPENDED): no new orders, escrows, top-ups or withdrawals, and no payout of unconfirmed withdrawals; orders in escrow continue',
    params: user,
    body: reason,
    success: { status: 200, data: UserView },
    errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  }),
  unfreezeUser: ownEndpoint('unfreezeUser', 'POST', '/users/{id}/unfreeze', {
    scope: 'support',
    operators: ANY_ACTING,
    idempotent: true,
    summary: 'Unfreeze a user (status ACTIVE)',
    params: user,
    body: reason,
    success: { status: 200, data: UserView },
    errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  }),
  revealUser: ownEndpoint('revealUser', 'POST', '/users/{id}/reveal', {
    scope: 'support',
    operators: ANY_ACTING,
    summary: 'Get the unmasked personal data of a user; the access and its reason are audited',
    params: user,
    body: reason,
    success: { status: 200, data: UserView },
    errors: ['USER_NOT_FOUND'],
  }),
};
