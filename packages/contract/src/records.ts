//! The records that Surface A returns: one schema per record, each with the type of its name.
import { type Static, Type } from 'typebox';
import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES } from '#audit-actions';
import {
  ACTOR_TYPES,
  AUDIT_RESULTS,
  DEPOSIT_CURRENCIES,
  DESTINATION_TYPES,
  NETWORK_ASSETS,
  SCOPES,
  USER_STATUSES,
  USER_TYPES,
  WALLET_TYPES,
} from '#enums';
import {
  amount,
  currency,
  id,
  instant,
  mapOf,
  metadata,
  networkAmount,
  nullable,
  oneOf,
  openObject,
  rate,
  record,
  signedAmount,
} from '#fields';
import { statesOf } from '#machine';
import { topupMachine } from '#machines/topup-machine';
import { withdrawalMachine } from '#machines/withdrawal-machine';

const words = () => nullable(Type.String());
const when = () => nullable(instant());
const stamps = { createdAt: instant(), updatedAt: instant() };

export const UserView = record('User', {
  id: id('usr'),
  externalUserId: Type.String(),
  email: words(),
  type: oneOf(USER_TYPES),
  status: oneOf(USER_STATUSES),
  depositCurrency: oneOf(DEPOSIT_CURRENCIES),
  paymentAccountUserId: words(),
  linkedAt: when(),
  ledgerAddress: words(),
  ...stamps,
});
export type UserView = Static<typeof UserView>;

export const BalanceView = record('Balance', {
  userId: id('usr'),
  available: amount(),
  reserved: amount(),
  total: amount(),
  currency: currency(),
  updatedAt: instant(),
});
export type BalanceView = Static<typeof BalanceView>;

export const BalanceSyncResultView = record('BalanceSyncResult', {
  synced: Type.Boolean(),
  previousBalance: BalanceView,
  currentBalance: BalanceView,
  discrepancyDetected: Type.Boolean(),
  adjustment: nullable(signedAmount()),
});
export type BalanceSyncResultView = Static<typeof BalanceSyncResultView>;

export const BalanceVerificationView = record('BalanceVerification', {
  isValid: Type.Boolean(),
  offChainBalance: BalanceView,
  onChainBalance: record('OnChainBalance', {
    address: Type.String(),
    balance: networkAmount(),
    asset: oneOf(NETWORK_ASSETS),
  }),
  difference: networkAmount(),
  /** What transfers in flight explain of the difference, and what is below one cent. */
  inFlight: Type.Optional(networkAmount()),
  dust: Type.Optional(networkAmount()),
});
export type BalanceVerificationView = Static<typeof BalanceVerificationView>;

const apiKey = {
  id: id('key'),
  name: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  marketplaceId: id('mkt'),
  createdAt: instant(),
  expiresAt: when(),
  revokedAt: when(),
  lastUsedAt: when(),
  rotatedFrom: Type.Optional(id('key')),
};

export const ApiKeyView = record('ApiKey', apiKey);
export type ApiKeyView = Static<typeof ApiKeyView>;

/** The secret is returned once: a replay under an Idempotency-Key has the record without it. */
export const NewApiKeyView = record('NewApiKey', {
  ...apiKey,
  key: Type.Optional(Type.String()),
  api_key: Type.Optional(Type.String()),
});
export type NewApiKeyView = Static<typeof NewApiKeyView>;

export const TokenView = record('Token', {
  token: Type.String(),
  expiresAt: instant(),
  scopes: Type.Array(oneOf(SCOPES)),
});
export type TokenView = Static<typeof TokenView>;

export const AuthContextView = record('AuthContext', {
  apiKeyId: id('key'),
  apiKeyName: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  marketplaceId: id('mkt'),
  environment: Type.String(),
});
export type AuthContextView = Static<typeof AuthContextView>;

export const MarketplaceView = record('Marketplace', {
  id: id('mkt'),
  name: Type.String(),
  createdAt: instant(),
  /** What was set, per currency; null in a currency means no limit, null as a whole: none set. */
  adjustmentLimit: nullable(
    record('AdjustmentLimit', {
      USD: Type.Optional(nullable(amount())),
      USDC: Type.Optional(nullable(amount())),
      XLM: Type.Optional(nullable(amount())),
    }),
  ),
});
export type MarketplaceView = Static<typeof MarketplaceView>;

export const TreasuryShareView = record('TreasuryShare', {
  marketplaceId: id('mkt'),
  asset: oneOf(NETWORK_ASSETS),
  /** What the marketplace's addresses may hold of the treasury; null: no limit. */
  funded: nullable(networkAmount()),
  /** What they hold of it, net of what came back. */
  drawn: networkAmount(),
});
export type TreasuryShareView = Static<typeof TreasuryShareView>;

const AmountLimitsView = record('AmountLimits', { minimum: amount(), maximum: amount() });

export const ConfigView = record('Config', {
  environment: Type.String(),
  version: Type.String(),
  baseCurrency: currency(),
  currencies: Type.Array(currency()),
  escrowCurrencies: Type.Array(currency()),
  feeRate: rate(),
  limits: record('Limits', {
    topup: AmountLimitsView,
    withdrawal: AmountLimitsView,
    order: AmountLimitsView,
    pageSize: Type.Integer(),
    requestsPerMinute: Type.Integer(),
  }),
  features: mapOf(Type.Boolean()),
});
export type ConfigView = Static<typeof ConfigView>;

export const HealthView = record('Health', {
  status: oneOf(['ok', 'degraded']),
  version: Type.String(),
});
export type HealthView = Static<typeof HealthView>;

export const HealthDetailView = record('HealthDetail', {
  status: oneOf(['ok', 'degraded']),
  version: Type.String(),
  uptimeSeconds: Type.Integer(),
  checks: mapOf(
    record('HealthCheck', {
      status: oneOf(['ok', 'down', 'off']),
      latencyMs: nullable(Type.Number()),
      reason: Type.Optional(Type.String()),
    }),
  ),
});
export type HealthDetailView = Static<typeof HealthDetailView>;

export const WalletView = record('Wallet', {
  userId: id('usr'),
  ledgerAddress: Type.String(),
  type: oneOf(WALLET_TYPES),
  network: Type.String(),
  balances: Type.Array(
    record('AssetBalance', { asset: oneOf(NETWORK_ASSETS), balance: networkAmount() }),
  ),
});
export type WalletView = Static<typeof WalletView>;

export const DepositAddressView = record('DepositAddress', {
  address: Type.String(),
  asset: oneOf(NETWORK_ASSETS),
  network: Type.String(),
  /** Which balance a deposit of this asset is credited to. */
  currency: currency(),
});
export type DepositAddressView = Static<typeof DepositAddressView>;

export const WalletTransactionView = record('WalletTransaction', {
  id: id('txn'),
  direction: oneOf(['IN', 'OUT']),
  kind: Type.String(),
  asset: oneOf(NETWORK_ASSETS),
  amount: networkAmount(),
  counterparty: words(),
  transactionHash: words(),
  createdAt: instant(),
});
export type WalletTransactionView = Static<typeof WalletTransactionView>;

export const TopupView = record('Topup', {
  id: id('topup'),
  status: oneOf(statesOf(topupMachine)),
  userId: id('usr'),
  amount: amount(),
  currency: currency(),
  description: words(),
  confirmationUri: words(),
  returnUrl: words(),
  cancelUrl: words(),
  providerPayinId: words(),
  failureReason: words(),
  errorCode: words(),
  metadata: metadata(),
  ...stamps,
});
export type TopupView = Static<typeof TopupView>;

export const WithdrawalView = record('Withdrawal', {
  id: id('wd'),
  status: oneOf(statesOf(withdrawalMachine)),
  userId: id('usr'),
  amount: amount(),
  currency: currency(),
  destination: record('Destination', {
    type: oneOf(DESTINATION_TYPES),
    ref: Type.String(),
    memo: Type.Optional(Type.String()),
  }),
  providerPayoutId: words(),
  transactionHash: words(),
  actionRequired: words(),
  actionUrl: words(),
  failureReason: words(),
  errorCode: words(),
  committedAt: when(),
  completedAt: when(),
  ...stamps,
});
export type WithdrawalView = Static<typeof WithdrawalView>;

export const AuditEntryView = record('AuditEntry', {
  id: id('aud'),
  occurredAt: instant(),
  action: oneOf(AUDIT_ACTIONS),
  resourceType: oneOf(AUDIT_RESOURCE_TYPES),
  resourceId: Type.String(),
  before: nullable(openObject('Changed values before.')),
  after: nullable(openObject('Changed values after.')),
  actorType: oneOf(ACTOR_TYPES),
  actorId: words(),
  result: oneOf(AUDIT_RESULTS),
  reason: words(),
  correlationId: words(),
});
export type AuditEntryView = Static<typeof AuditEntryView>;
