//! The closed lists of words on the wire that are not life cycles.

/** The rules of a request that an error of validation can name. */
export const VALIDATION_RULES = [
  'required',
  'unknown',
  'type',
  'enum',
  'format',
  'length',
  'range',
  'unique',
  'conflict',
  'malformed',
] as const;
export const SCOPES = ['read', 'write', 'support'] as const;
export const USER_TYPES = ['BUYER', 'SELLER', 'BOTH'] as const;
export const USER_STATUSES = ['ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION'] as const;
export const DEPOSIT_CURRENCIES = ['USD', 'USDC'] as const;
export const WALLET_TYPES = ['CUSTODIAL', 'EXTERNAL'] as const;
export const NETWORK_ASSETS = ['USDC', 'XLM'] as const;
export const CLOSE_REASONS = ['RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED'] as const;
export const CONTRACT_TYPES = ['SINGLE_RELEASE', 'MULTI_RELEASE'] as const;
export const DISPUTE_PARTIES = ['BUYER', 'SELLER'] as const;
export const DISPUTE_REASONS = ['NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER'] as const;
export const DECISIONS = ['FULL_RELEASE', 'FULL_REFUND', 'SPLIT'] as const;
export const DESTINATION_TYPES = ['payment_account', 'crypto', 'bank'] as const;
export const AUDIT_RESULTS = ['SUCCESS', 'FAILURE'] as const;
export const ACTOR_TYPES = [
  'API_KEY',
  'MASTER_KEY',
  'MEMBER',
  'OPERATOR',
  'PROVIDER',
  'SYSTEM',
] as const;
/** What an operator may be in a marketplace. */
export const OPERATOR_ROLES = ['viewer', 'support', 'finance', 'admin'] as const;
export const OPERATION_STATUSES = ['RUNNING', 'DONE', 'REFUSED', 'ESCALATED'] as const;
export const OPERATION_STEP_STATUSES = ['CLAIMED', 'DONE', 'REFUSED'] as const;
export const TIMELINE_KINDS = [
  'api_call',
  'person',
  'webhook',
  'provider_call',
  'ledger_transaction',
  'posting',
  'state',
] as const;
export const STATEMENT_SUBJECTS = ['User', 'Withdrawal', 'FeeIncome'] as const;
export const STATEMENT_FORMATS = ['json', 'csv'] as const;
export const PROJECT_STATUSES = ['open', 'in_progress', 'completed'] as const;
export const AGGREGATE_TYPES = [
  'User',
  'Balance',
  'TopUp',
  'Order',
  'Escrow',
  'Dispute',
  'Withdrawal',
  // Ours, beyond the specification.
  'WebhookEndpoint',
  'Marketplace',
] as const;

/** What a stop of a marketplace refuses; each level includes those before it. */
export const STOP_LEVELS = ['PAYOUTS', 'MONEY', 'SIGNING'] as const;

/** What the books are compared with. */
export const RECONCILED = ['payment_provider', 'ledger_network'] as const;
export const EXCEPTION_CAUSES = [
  'PROVIDER_BALANCE_CHANGED',
  'PAYIN_MISSING_HERE',
  'PAYIN_MISSING_THERE',
  'PAYOUT_MISSING_HERE',
  'PAYOUT_MISSING_THERE',
  'PAYOUT_DOUBLED',
  'AMOUNT_MISMATCH',
  'STATUS_MISMATCH',
  'MONEY_UNCONFIRMED',
  'LEDGER_PAYMENT_UNBOOKED',
  'ADDRESS_DIFFERENCE',
  'CONTRACT_DIFFERENCE',
  'TREASURY_DIFFERENCE',
  'DUST',
] as const;
export const EXCEPTION_ACTIONS = [
  'BOOK_TO_SUSPENSE',
  'CREDIT_USER',
  'CHARGE_USER',
  'WRITE_OFF',
  'APPLY_AGAIN',
  'ACCEPT',
] as const;
export const SOLVENCY_STATUSES = ['BALANCED', 'UNSETTLED', 'SURPLUS', 'BREACH'] as const;
/** Of a delivery: LIVE as the log grows, REPLAY of what was sent before, TEST of the endpoint. */
export const WEBHOOK_KINDS = ['LIVE', 'REPLAY', 'TEST'] as const;
/** PENDING: tried, and tried again. FAILED: not tried any more; only replays and tests end so. */
export const WEBHOOK_OUTCOMES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export const WEBHOOK_REPLAY_STATUSES = ['OPEN', 'DONE', 'FAILED'] as const;
export const PAUSE_CAUSES = ['BY_HAND', 'KEEPS_FAILING', 'GONE'] as const;
export const CAPITAL_LOCATIONS = ['ledger_network', 'payment_provider'] as const;

/** What a search can find, and what a hit leads to. */
export const SEARCH_TYPES = [
  'User',
  'Order',
  'Dispute',
  'TopUp',
  'Withdrawal',
  'Operation',
  'Approval',
  'ReconciliationRun',
  'ReconciliationException',
  'Event',
  'AuditEntry',
  'ApiKey',
  'Operator',
  'ProviderNotification',
  'LedgerEntry',
  'WebhookEndpoint',
  'WebhookDelivery',
  'LoggedRequest',
  'IdempotencyKey',
] as const;
/** Of what found it. */
export const SEARCH_FIELDS = [
  'id',
  'clientOrderRef',
  'externalUserId',
  'email',
  'contractId',
  'paymentAccount',
  'payin',
  'payout',
  'transactionHash',
  'ledgerAddress',
  'providerEventId',
  'reference',
  'requestId',
  'idempotencyKey',
] as const;

export const LEDGER_ACCOUNT_KINDS = [
  'user',
  'debt',
  'escrow',
  'adjustments',
  'fee_income',
  'provider_fees',
  'payment_fees',
  'payment_clearing',
  'network_clearing',
  'treasury',
  'suspense',
] as const;
/** Who bears the payment provider's fee on a top-up. */
export const FEE_PAYERS = ['MARKETPLACE', 'USER'] as const;

export const LEDGER_BUCKETS = ['available', 'reserved'] as const;

export const NOTIFICATION_PROVIDERS = ['escrow-provider', 'payment-provider'] as const;
/** SUPERSEDED: its content was known already, as with a duplicate. PARKED: it needs review. */
export const NOTIFICATION_STATUSES = ['PENDING', 'APPLIED', 'SUPERSEDED', 'PARKED'] as const;

/** What the first page of a console puts on top. */
export const ATTENTION_KINDS = [
  'OPERATION_ESCALATED',
  'OPERATION_UNKNOWN',
  'DISPUTE_OPEN',
  'EXCEPTION_OPEN',
  'NOTIFICATION_PARKED',
  'WEBHOOK_ENDPOINT_FAILING',
  'WITHDRAWAL_NEEDS_ACTION',
  'PAYOUTS_PAUSED',
  'APPROVAL_PENDING',
] as const;
/** What can need attention: every type that a search finds, and payouts as a whole. */
export const ATTENTION_TYPES = [...SEARCH_TYPES, 'Payouts'] as const;
export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export const HEALTH_PROVIDERS = ['escrow_provider', 'payment_provider', 'ledger_network'] as const;

export const LAB_SCENARIOS = [
  'lost-replies',
  'refused-funding',
  'lost-webhooks',
  'doubled-webhooks',
  'late-webhooks',
  'next-day',
] as const;
export const LAB_SAMPLES = [
  'order-reserved',
  'order-in-progress',
  'order-disputed',
  'order-released',
] as const;

/** Published words that nothing produces today, each with its reason; the reference shows both. */
export const RESERVED_WORDS: readonly {
  readonly of: readonly string[];
  readonly word: string;
  readonly why: string;
}[] = [
  { of: USER_STATUSES, word: 'PENDING_VERIFICATION', why: 'no call requires a verification yet' },
  { of: WALLET_TYPES, word: 'EXTERNAL', why: 'every wallet of a user is custodial' },
  { of: LEDGER_ACCOUNT_KINDS, word: 'treasury', why: 'nothing is posted to it yet' },
];
