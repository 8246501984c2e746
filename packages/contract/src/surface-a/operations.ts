//! Operations: durable pieces of provider work that a request started.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { OPERATION_STATUSES } from '#enums';
import { closed, createdBetween, id, listQuery, oneOf, text } from '#fields';
import { LENGTHS } from '#limits';
import { OperationView } from '#records/operation-records';
import { ANY_ACTING } from '#roles';

/** Endpoints for the console beyond one operation; they come after the rest of ours. */
export const operationDeskEndpoints = {
  listOperations: ownEndpoint('listOperations', 'GET', '/operations', {
    scope: 'read',
    summary: 'List operations, newest first; with attention=true those that need an operator',
    query: listQuery('op', {
      status: Type.Optional(oneOf(OPERATION_STATUSES)),
      kind: Type.Optional(text(LENGTHS.name)),
      resourceId: Type.Optional(text(LENGTHS.name)),
      /** Open, and escalated or with an unknown outcome. */
      attention: Type.Optional(oneOf(['true'])),
      ...createdBetween,
    }),
    success: { status: 200, data: OperationView, list: true },
  }),
  retryOperation: ownEndpoint('retryOperation', 'POST', '/operations/{id}/retry', {
    scope: 'support',
    operators: ANY_ACTING,
    idempotent: true,
    summary: 'Retry an open operation now, instead of at its next attempt',
    params: closed({ id: id('op') }),
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: OperationView },
    errors: ['OPERATION_NOT_FOUND', 'INVALID_STATE', 'ENGINE_UNAVAILABLE'],
  }),
};

export const operationEndpoints = {
  getOperation: ownEndpoint('getOperation', 'GET', '/operations/{id}', {
    scope: 'read',
    summary: 'Get an operation and its steps; PROVIDER_TIMEOUT returns its id',
    params: closed({ id: id('op') }),
    success: { status: 200, data: OperationView },
    errors: ['OPERATION_NOT_FOUND'],
  }),
};
