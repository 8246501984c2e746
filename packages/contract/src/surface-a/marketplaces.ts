//! Endpoints beyond the specification: marketplaces, and the end of a key's life.

import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { NETWORK_ASSETS } from '#enums';
import {
  amountInput,
  closed,
  createdBetween,
  currency,
  id,
  instantInput,
  listQuery,
  nullable,
  oneOf,
  optionalBody,
  seconds,
  text,
} from '#fields';
import { KEY_OVERLAP_SECONDS, LENGTHS } from '#limits';
import { ApiKeyView, MarketplaceView, NewApiKeyView, TreasuryShareView } from '#records';
import { ADMIN } from '#roles';

const key = closed({ id: id('key') });
const marketplace = closed({ id: id('mkt') });

export const marketplaceEndpoints = {
  revokeApiKey: ownEndpoint('revokeApiKey', 'POST', '/auth/api-keys/{id}/revoke', {
    scope: 'master',
    operators: ADMIN,
    idempotent: true,
    summary: 'Revoke a key immediately, with every token issued from it',
    params: key,
    body: optionalBody({}),
    success: { status: 200, data: ApiKeyView },
    errors: ['API_KEY_NOT_FOUND'],
  }),
  rotateApiKey: ownEndpoint('rotateApiKey', 'POST', '/auth/api-keys/{id}/rotate', {
    scope: 'master',
    operators: ADMIN,
    idempotent: true,
    summary: 'Rotate a key; the old one works until the overlap ends (one day by default)',
    params: key,
    body: optionalBody({
      overlapSeconds: Type.Optional(seconds(0, KEY_OVERLAP_SECONDS.maximum)),
      expiresAt: Type.Optional(instantInput()),
    }),
    success: { status: 201, data: NewApiKeyView },
    errors: ['API_KEY_NOT_FOUND', 'INVALID_STATE'],
  }),
  createMarketplace: ownEndpoint('createMarketplace', 'POST', '/marketplaces', {
    scope: 'master',
    platform: true,
    idempotent: true,
    summary: 'Create a marketplace',
    body: closed({ name: text(LENGTHS.name) }),
    success: { status: 201, data: MarketplaceView },
  }),
  listMarketplaces: ownEndpoint('listMarketplaces', 'GET', '/marketplaces', {
    scope: 'master',
    platform: true,
    summary: 'List marketplaces, newest first',
    query: listQuery('mkt', createdBetween),
    success: { status: 200, data: MarketplaceView, list: true },
  }),
  getMarketplace: ownEndpoint('getMarketplace', 'GET', '/marketplaces/{id}', {
    scope: 'master',
    platform: true,
    summary: 'Get a marketplace',
    params: marketplace,
    success: { status: 200, data: MarketplaceView },
    errors: ['MARKETPLACE_NOT_FOUND'],
  }),
  setAdjustmentLimit: ownEndpoint(
    'setAdjustmentLimit',
    'PUT',
    '/marketplaces/{id}/adjustment-limit',
    {
      scope: 'master',
      platform: true,
      idempotent: true,
      summary: 'Set the limit on credits and debits in a currency; null removes it',
      params: marketplace,
      body: closed({ currency: currency(), limit: nullable(amountInput()) }),
      success: { status: 200, data: MarketplaceView },
      errors: ['MARKETPLACE_NOT_FOUND'],
    },
  ),
  setTreasuryShare: ownEndpoint('setTreasuryShare', 'PUT', '/marketplaces/{id}/treasury-share', {
    scope: 'master',
    platform: true,
    idempotent: true,
    summary:
      'Set the share of the treasury that the addresses of a marketplace may hold; null removes it',
    params: marketplace,
    body: closed({ asset: oneOf(NETWORK_ASSETS), funded: nullable(amountInput()) }),
    success: { status: 200, data: TreasuryShareView },
    errors: ['MARKETPLACE_NOT_FOUND'],
  }),
};
