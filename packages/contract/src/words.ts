//! The closed lists of words on the wire that are no life cycle.

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
export const ACTOR_TYPES = ['API_KEY', 'MASTER_KEY', 'MEMBER', 'PROVIDER', 'SYSTEM'] as const;
export const OPERATION_STATUSES = ['RUNNING', 'DONE', 'REFUSED', 'RAISED'] as const;
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
] as const;

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
  'LEDGER_PAYMENT_UNBOOKED',
  'ADDRESS_DIFFERENCE',
  'CONTRACT_DIFFERENCE',
  'TREASURY_DIFFERENCE',
  'DUST',
] as const;
export const EXCEPTION_ACTIONS = [
  'BOOK_TO_SUSPENSE',
  'CREDIT_USER',
  'WRITE_OFF',
  'APPLY_AGAIN',
  'ACCEPT',
] as const;
export const SOLVENCY_STATUSES = ['BALANCED', 'UNSETTLED', 'SURPLUS', 'BREACH'] as const;
export const CAPITAL_PLACES = ['ledger_network', 'payment_provider'] as const;
