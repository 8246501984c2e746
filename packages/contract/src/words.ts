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
