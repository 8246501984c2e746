//! Operations: durable pieces of provider work that a request began.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { closed, createdBetween, id, listQuery, oneOf, text } from '#fields';
import { LENGTHS } from '#limits';
import { OperationView } from '#operation-records';
import { ANY_ACTING } from '#roles';
import { OPERATION_STATUSES } from '#words';

/** What a console asks beyond one operation; after the rest of ours. */
export const operationDeskEndpoints = {
  listOperations: endpoint('listOperations', 'GET', '/operations', {
    scope: 'read',
    origin: 'ours',
    summary: 'List operations, newest first; with attention=true those that need a person',
    query: listQuery('op', {
      status: Type.Optional(oneOf(OPERATION_STATUSES)),
      kind: Type.Optional(text(LENGTHS.name)),
      resourceId: Type.Optional(text(LENGTHS.name)),
      /** Open, and raised or with an outcome that is not known. */
      attention: Type.Optional(oneOf(['true'])),
      ...createdBetween,
    }),
    success: { status: 200, data: OperationView, list: true },
  }),
  askOperationNow: endpoint('askOperationNow', 'POST', '/operations/{id}/ask-now', {
    scope: 'support',
    operators: ANY_ACTING,
    origin: 'ours',
    idempotent: true,
    summary: 'Have an open operation driven at once, instead of at its next turn',
    params: closed({ id: id('op') }),
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: OperationView },
    errors: ['OPERATION_NOT_FOUND', 'INVALID_STATE', 'ENGINE_UNAVAILABLE'],
  }),
};

export const operationEndpoints = {
  getOperation: endpoint('getOperation', 'GET', '/operations/{id}', {
    scope: 'read',
    origin: 'ours',
    summary: 'Get an operation and its steps: what PROVIDER_TIMEOUT names',
    params: closed({ id: id('op') }),
    success: { status: 200, data: OperationView },
    errors: ['OPERATION_NOT_FOUND'],
  }),
};
