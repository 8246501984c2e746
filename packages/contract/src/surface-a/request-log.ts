//! The log of recent requests, and the lookup of an Idempotency-Key.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { closed, createdBetween, id, listQuery, oneOf, pageLimit, text } from '#fields';
import { LENGTHS } from '#limits';
import { IdempotencyKeyView, LoggedRequestView } from '#records/console-records';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const requestLogEndpoints = {
  listRequestLog: ownEndpoint('listRequestLog', 'GET', '/request-log', {
    scope: 'read',
    summary: 'List recent requests, newest first',
    query: listQuery('req', {
      /** A status such as 409, or a class such as 4xx. */
      status: Type.Optional(Type.String({ pattern: '^[1-5](\\d\\d|xx)$', examples: ['4xx'] })),
      method: Type.Optional(oneOf(METHODS)),
      /** As the contract writes it, such as /users/{id}. */
      route: Type.Optional(text(LENGTHS.reference)),
      actorId: Type.Optional(text(LENGTHS.name)),
      requestId: Type.Optional(text(LENGTHS.name)),
      errorCode: Type.Optional(text(LENGTHS.name)),
      ...createdBetween,
    }),
    success: { status: 200, data: LoggedRequestView, list: true },
  }),
  listIdempotencyKeys: ownEndpoint('listIdempotencyKeys', 'GET', '/idempotency-keys', {
    scope: 'read',
    summary: 'Get the uses of an Idempotency-Key: route, stored response and number of requests',
    query: closed({
      limit: Type.Optional(pageLimit()),
      cursor: Type.Optional(id('req')),
      key: Type.String({
        pattern: '^[0-9a-fA-F-]{36}$',
        examples: ['5386dfd0-609d-4cd4-bb84-dcfd600fd435'],
      }),
    }),
    success: { status: 200, data: IdempotencyKeyView, list: true },
  }),
};
