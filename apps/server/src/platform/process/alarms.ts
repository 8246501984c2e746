//! Texts of log lines that documents quote for alarms. tests/e2e/docs compares both.

export const AUDIT_EXPORT_REFUSED = 'audit export refused';
export const ENGINE_DOWN = 'engine down';
export const ENGINE_UP = 'engine up';
export const EVENT_SEQUENCING_FAILED = 'event sequencing failed';
export const LINEAGE_CLOSED = 'database closed for recovery';
export const LINEAGE_OPENED = 'database opened';
export const MONEY_UNCONFIRMED = 'money unconfirmed by provider';
export const OPERATION_ESCALATED = 'operation escalated';
export const OPERATION_RECLAIMED = 'operation reclaimed';
export const PAYOUT_CONFLICT = 'payout conflict recorded';
export const PAYOUT_NOTIFICATION_CONFLICT = 'payout notification conflict';
export const PAYOUTS_PAUSED = 'payouts paused';
export const PROVIDER_CIRCUIT_OPENED = 'provider circuit opened';
export const RECOVERY_FINDING = 'unrecorded since the restore';
export const REQUEST_REFUSED = 'suspicious request refused';
export const REQUESTS_REFUSED = 'suspicious requests refused';
export const SIGN_IN_REFUSED = 'sign-in refused';
export const SOLVENCY_READING_FAILED = 'solvency reading failed';
export const TOPUP_CONTRADICTED = 'top-up contradicted by provider';
export const TOPUP_NOTIFICATION_CONFLICT = 'top-up notification conflict';
export const UNKNOWN_SEQUENCE = 'unknown sequence number on the network';
export const UNHANDLED_ERROR = 'unhandled error';
export const WALLET_STOCKING_STOPPED = 'wallet stocking stopped';
export const WEBHOOK_PARKED = 'webhook parked';
