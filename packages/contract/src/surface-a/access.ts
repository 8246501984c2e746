//! Keys, tokens, and who the caller is.

import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { SCOPES } from '#enums';
import {
  closed,
  createdBetween,
  id,
  instantInput,
  listQuery,
  oneOf,
  optionalBody,
  ownCode,
  seconds,
  text,
} from '#fields';
import { LENGTHS, REQUESTS_PER_MINUTE_MAX, TOKEN_TTL_SECONDS } from '#limits';
import { ApiKeyView, AuthContextView, NewApiKeyView, TokenView } from '#records';
import { ADMIN } from '#roles';

const scopes = () =>
  Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true });

const requestsPerMinute = () =>
  Type.Integer({
    minimum: 1,
    maximum: REQUESTS_PER_MINUTE_MAX,
    description: 'Its own rate limit, in place of that of all keys; its successors have it too.',
  });

export const accessEndpoints = {
  createApiKey: endpoint('createApiKey', 'POST', '/auth/api-keys', {
    scope: 'master',
    operators: ADMIN,
    secondApprover: 'always',
    idempotent: true,
    summary: 'Create an API key; without a marketplace id a new marketplace is created',
    body: closed({
      name: text(LENGTHS.name),
      scopes: scopes(),
      marketplaceId: Type.Optional(id('mkt')),
      expiresAt: Type.Optional(instantInput()),
      requestsPerMinute: Type.Optional(requestsPerMinute()),
      totp: ownCode(),
    }),
    success: { status: 201, data: NewApiKeyView },
    errors: ['MARKETPLACE_NOT_FOUND', 'SIGN_IN_REFUSED'],
  }),
  listApiKeys: endpoint('listApiKeys', 'GET', '/auth/api-keys', {
    scope: 'read',
    master: true,
    summary: 'List the API keys of the marketplace; with the master key, all keys',
    query: listQuery('key', createdBetween),
    success: { status: 200, data: ApiKeyView, list: true },
  }),
  createToken: endpoint('createToken', 'POST', '/auth/api-keys/{id}/token', {
    scope: 'any',
    master: true,
    summary: 'Create a short-lived token for the calling key; with the master key, for any key',
    params: closed({ id: id('key') }),
    body: optionalBody({
      ttlSeconds: Type.Optional(seconds(1, TOKEN_TTL_SECONDS.maximum)),
      scopes: Type.Optional(scopes()),
    }),
    success: { status: 201, data: TokenView },
    errors: ['API_KEY_NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_STATE'],
  }),
  getAuthContext: endpoint('getAuthContext', 'GET', '/auth/me', {
    scope: 'any',
    summary: 'Get the calling key and its scopes',
    success: { status: 200, data: AuthContextView },
  }),
};
