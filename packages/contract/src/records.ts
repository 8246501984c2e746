//! The records that Surface A returns: one schema per record, each with the type of its name.
import { type Static, Type } from 'typebox';
import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES } from '#audit-actions';
import {
  ACTOR_TYPES,
  AUDIT_RESULTS,
  DEPOSIT_CURRENCIES,
  FEE_PAYERS,
  NETWORK_ASSETS,
  SCOPES,
  STOP_LEVELS,
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
  networkAmount,
  nullable,
  oneOf,
  openObject,
  rate,
  record,
  signedAmount,
} from '#fields';

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

const operatorOfKey = (description: string) =>
  Type.Object({ id: id('opr'), name: Type.String() }, { additionalProperties: false, description });

/** The last three only for a key that an operator requested. */
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
  requestsPerMinute: Type.Optional(
    Type.Integer({ description: 'Its own rate limit, in place of that of all keys.' }),
  ),
  createdBy: Type.Optional(operatorOfKey('The operator who requested the key.')),
  approvedBy: Type.Optional(operatorOfKey('The second approver.')),
  hasSecret: Type.Optional(
    Type.Boolean({ description: 'False until the operator who requested it has fetched it.' }),
  ),
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

/** The token is returned once: a replay under an Idempotency-Key has the record without it. */
export const PasswordResetView = record('PasswordReset', {
  userId: id('usr'),
  token: Type.Optional(Type.String()),
  expiresAt: instant(),
});
export type PasswordResetView = Static<typeof PasswordResetView>;

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

export const MarketplaceStopView = record('MarketplaceStop', {
  marketplaceId: id('mkt'),
  level: oneOf(STOP_LEVELS),
  reason: Type.String(),
  stoppedBy: Type.String(),
  stoppedAt: instant(),
  /** From here on nothing of its level starts in any process; null while older work is ending. */
  settledAt: when(),
  liftedBy: words(),
  liftReason: words(),
  liftedAt: when(),
});
export type MarketplaceStopView = Static<typeof MarketplaceStopView>;

export const MarketplaceStopsView = record('MarketplaceStops', {
  standing: Type.Array(MarketplaceStopView),
  /** Newest first, at most twenty. */
  lifted: Type.Array(MarketplaceStopView),
});
export type MarketplaceStopsView = Static<typeof MarketplaceStopsView>;

/** What a marketplace has settled about its payments. A top-up stays under those of its start. */
export const MarketplaceTermsView = record('MarketplaceTerms', {
  marketplaceId: id('mkt'),
  /** 0 before any were set. */
  version: Type.Integer({ minimum: 0 }),
  /** Who bears the payment provider's fee on a top-up. */
  payinFee: oneOf(FEE_PAYERS),
  /** Whether a user whose payment was reversed is suspended. */
  suspendOnReversal: Type.Boolean(),
  /** What its users may owe in all; above it payouts of the marketplace stop. */
  debtLimit: amount(),
  reason: words(),
  setBy: words(),
  setAt: when(),
});
export type MarketplaceTermsView = Static<typeof MarketplaceTermsView>;

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
  /** Where the request came from; null where no request waited for the action. */
  address: words(),
  userAgent: words(),
});
export type AuditEntryView = Static<typeof AuditEntryView>;
