//! Endpoints beyond the specification: marketplaces, and the end of a key's life.

import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { FEE_PAYERS, NETWORK_ASSETS, STOP_LEVELS } from '#enums';
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
  ownCode,
  seconds,
  text,
} from '#fields';
import { KEY_OVERLAP_SECONDS, LENGTHS } from '#limits';
import {
  ApiKeyView,
  MarketplaceStopsView,
  MarketplaceStopView,
  MarketplaceTermsView,
  MarketplaceView,
  NewApiKeyView,
  TreasuryShareView,
} from '#records';
import { ADMIN, EVERY_ROLE, FINANCE } from '#roles';

const key = closed({ id: id('key') });
const marketplace = closed({ id: id('mkt') });
const stop = { level: oneOf(STOP_LEVELS), reason: text(LENGTHS.reason) };

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
    secondApprover: 'always',
    idempotent: true,
    summary: 'Rotate a key; the old one works until the overlap ends (one day by default)',
    params: key,
    body: optionalBody({
      overlapSeconds: Type.Optional(seconds(0, KEY_OVERLAP_SECONDS.maximum)),
      expiresAt: Type.Optional(instantInput()),
      totp: ownCode(),
    }),
    success: { status: 201, data: NewApiKeyView },
    errors: ['API_KEY_NOT_FOUND', 'INVALID_STATE', 'SIGN_IN_REFUSED'],
  }),
  fetchKeySecret: ownEndpoint('fetchKeySecret', 'POST', '/auth/api-keys/{id}/secret', {
    scope: 'operator',
    operators: ADMIN,
    summary: 'Get the secret of a key that you requested, once, after its approval',
    params: key,
    bodyRead: 'none',
    success: { status: 200, data: NewApiKeyView },
    errors: ['API_KEY_NOT_FOUND', 'INVALID_STATE', 'KEY_REQUESTER_REQUIRED'],
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
      secondApprover: 'increase',
      idempotent: true,
      summary:
        'Set the limit on credits and debits in a currency; null removes it, not in production. An increase needs another platform admin',
      params: marketplace,
      body: closed({ currency: currency(), limit: nullable(amountInput()), totp: ownCode() }),
      success: { status: 200, data: MarketplaceView },
      errors: ['MARKETPLACE_NOT_FOUND', 'SIGN_IN_REFUSED', 'PLATFORM_ADMIN_REQUIRED'],
    },
  ),
  setTreasuryShare: ownEndpoint('setTreasuryShare', 'PUT', '/marketplaces/{id}/treasury-share', {
    scope: 'master',
    platform: true,
    secondApprover: 'increase',
    idempotent: true,
    summary:
      'Set the share of the treasury that the addresses of a marketplace may hold; null removes it, not in production. An increase needs another platform admin',
    params: marketplace,
    body: closed({
      asset: oneOf(NETWORK_ASSETS),
      funded: nullable(amountInput()),
      totp: ownCode(),
    }),
    success: { status: 200, data: TreasuryShareView },
    errors: ['MARKETPLACE_NOT_FOUND', 'SIGN_IN_REFUSED', 'PLATFORM_ADMIN_REQUIRED'],
  }),
  getTerms: ownEndpoint('getTerms', 'GET', '/marketplaces/{id}/terms', {
    scope: 'master',
    platform: true,
    operators: EVERY_ROLE,
    summary: 'Get the terms that apply to new payments of a marketplace',
    params: marketplace,
    success: { status: 200, data: MarketplaceTermsView },
    errors: ['MARKETPLACE_NOT_FOUND'],
  }),
  setTerms: ownEndpoint('setTerms', 'PUT', '/marketplaces/{id}/terms', {
    scope: 'master',
    operators: FINANCE,
    secondApprover: 'always',
    idempotent: true,
    summary:
      'Set a new version of the terms of a marketplace; what is left out stays. An operator needs a second approver',
    params: marketplace,
    body: closed({
      payinFee: Type.Optional(oneOf(FEE_PAYERS)),
      suspendOnReversal: Type.Optional(Type.Boolean()),
      debtLimit: Type.Optional(amountInput()),
      reason: text(LENGTHS.reason),
    }),
    success: { status: 200, data: MarketplaceTermsView },
    errors: ['MARKETPLACE_NOT_FOUND', 'PLATFORM_ADMIN_REQUIRED'],
  }),
  stopMarketplace: ownEndpoint('stopMarketplace', 'POST', '/marketplaces/{id}/stop', {
    scope: 'master',
    platform: true,
    operators: FINANCE,
    idempotent: true,
    summary:
      'Stop payouts, all movements of money, or signing too; returns settledAt once the stop holds in every process',
    params: marketplace,
    body: closed(stop),
    success: { status: 200, data: MarketplaceStopView },
    errors: ['MARKETPLACE_NOT_FOUND'],
    emits: ['marketplace.stopped'],
  }),
  listStops: ownEndpoint('listStops', 'GET', '/marketplaces/{id}/stops', {
    scope: 'master',
    platform: true,
    operators: EVERY_ROLE,
    summary: 'Get the stops of a marketplace that stand, and the latest that were lifted',
    params: marketplace,
    success: { status: 200, data: MarketplaceStopsView },
    errors: ['MARKETPLACE_NOT_FOUND'],
  }),
  liftStop: ownEndpoint('liftStop', 'POST', '/marketplaces/{id}/stop/lift', {
    scope: 'master',
    operators: FINANCE,
    secondApprover: 'always',
    idempotent: true,
    summary: 'Lift a stop of a marketplace; an operator needs a second approver',
    params: marketplace,
    // Only the stop that was set then is lifted. Filled in for an operator, whose request waits.
    body: closed({ ...stop, stoppedAt: Type.Optional(instantInput()) }),
    success: { status: 200, data: MarketplaceStopView },
    errors: ['MARKETPLACE_NOT_FOUND', 'INVALID_STATE', 'PLATFORM_ADMIN_REQUIRED'],
    emits: ['marketplace.stop_lifted'],
  }),
};
