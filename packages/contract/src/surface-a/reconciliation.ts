//! Reconciliation: our books against the payment provider and the Stellar network.

import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { EXCEPTION_ACTIONS, EXCEPTION_CAUSES, RECONCILED } from '#enums';
import { DEBT_REPAYMENT } from '#events';
import {
  closed,
  createdBetween,
  id,
  listQuery,
  oneOf,
  optionalBody,
  signedAmountInput,
  text,
} from '#fields';
import { LENGTHS } from '#limits';
import { statesOf } from '#machine';
import { exceptionMachine } from '#machines/exception-machine';
import { runMachine } from '#machines/run-machine';
import {
  ReconciliationExceptionView,
  ReconciliationRunView,
} from '#records/reconciliation-records';
import { FINANCE } from '#roles';

const run = closed({ id: id('rec') });
const exception = closed({ id: id('exc') });

export const reconciliationEndpoints = {
  createReconciliationRun: ownEndpoint('createReconciliationRun', 'POST', '/reconciliation/runs', {
    scope: 'write',
    operators: FINANCE,
    idempotent: true,
    summary:
      'Start a reconciliation of the books with the payment provider, the Stellar network, or both',
    body: optionalBody({
      providers: Type.Optional(
        Type.Array(oneOf(RECONCILED), { minItems: 1, maxItems: 2, uniqueItems: true }),
      ),
    }),
    success: { status: 201, data: ReconciliationRunView },
    errors: ['INVALID_STATE', 'ENGINE_UNAVAILABLE'],
  }),
  listReconciliationRuns: ownEndpoint('listReconciliationRuns', 'GET', '/reconciliation/runs', {
    scope: 'read',
    summary: 'List reconciliation runs, newest first',
    query: listQuery('rec', {
      status: Type.Optional(oneOf(statesOf(runMachine))),
      ...createdBetween,
    }),
    success: { status: 200, data: ReconciliationRunView, list: true },
  }),
  getReconciliationRun: ownEndpoint('getReconciliationRun', 'GET', '/reconciliation/runs/{id}', {
    scope: 'read',
    summary: 'Get a reconciliation run with its counts and totals',
    params: run,
    success: { status: 200, data: ReconciliationRunView },
    errors: ['RUN_NOT_FOUND'],
  }),
  listExceptions: ownEndpoint('listExceptions', 'GET', '/reconciliation/exceptions', {
    scope: 'read',
    summary: 'List exceptions, newest first',
    query: listQuery('exc', {
      /** Those that this run saw, whether it found them or saw them again. */
      runId: Type.Optional(id('rec')),
      status: Type.Optional(oneOf(statesOf(exceptionMachine))),
      cause: Type.Optional(oneOf(EXCEPTION_CAUSES)),
      ...createdBetween,
    }),
    success: { status: 200, data: ReconciliationExceptionView, list: true },
  }),
  getException: ownEndpoint('getException', 'GET', '/reconciliation/exceptions/{id}', {
    scope: 'read',
    summary: 'Get an exception: both sides, and the possible actions',
    params: exception,
    success: { status: 200, data: ReconciliationExceptionView },
    errors: ['EXCEPTION_NOT_FOUND'],
  }),
  resolveException: ownEndpoint(
    'resolveException',
    'POST',
    '/reconciliation/exceptions/{id}/resolve',
    {
      scope: 'support',
      operators: FINANCE,
      secondApprover: 'always',
      idempotent: true,
      summary: 'Resolve an exception by a posting or another check, never by overwriting',
      params: exception,
      body: closed({
        action: oneOf(EXCEPTION_ACTIONS),
        reason: text(LENGTHS.reason),
        /** Whom to credit or charge: needed by CREDIT_USER and CHARGE_USER, else refused. */
        userId: Type.Optional(id('usr')),
        /** The amount that was seen: what has changed since is refused. Operators always say it. */
        expectedAmount: Type.Optional(signedAmountInput()),
      }),
      success: { status: 200, data: ReconciliationExceptionView },
      errors: [
        'EXCEPTION_NOT_FOUND',
        'INVALID_STATE',
        'USER_NOT_FOUND',
        'PROVIDER_TIMEOUT',
        'MARKETPLACE_FROZEN',
      ],
      emits: ['balance.credited', ...DEBT_REPAYMENT, 'user.debt_opened', 'topup.reversed'],
    },
  ),
};
