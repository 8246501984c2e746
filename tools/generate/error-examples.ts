//! Details of the examples on the error pages, where the schema alone gives no sensible ones.
import type { DetailsOf, ErrorCode } from '@holdfast/contract/errors';

const ORDER = 'ord_00k7qv3zsx5fj2m8r4tw9c6hbd';
const USER = 'usr_00k7qv3zsx5fj2m8r4tw9c6hbd';
const OPERATION = 'op_00k7qv3zsx5fj2m8r4tw9c6hbd';
const REQUESTED = { requested: '100.00', currency: 'USD' } as const;
const HELD = { ...REQUESTED, reserved: '40.00', reason: `the rest is held by order ${ORDER}` };

export const ERROR_EXAMPLES: { readonly [C in ErrorCode]?: DetailsOf<C> } = {
  VALIDATION_ERROR: {
    errors: [{ field: 'amount', rule: 'required', message: 'amount is required' }],
    validationErrors: ['amount is required'],
  },
  INVALID_AMOUNT: {
    amount: '1,5',
    reason: 'amount must be a positive decimal string with at most two places',
  },
  INVALID_STATE: {
    resource: 'order',
    id: ORDER,
    state: 'CLOSED',
    allowed: ['IN_PROGRESS'],
    reason: 'the order status is CLOSED; this action requires IN_PROGRESS',
  },
  RESERVATION_EXCEEDED: HELD,
  INVALID_RESERVED_DEDUCTION: HELD,
  ESCROW_FUNDING_FAILED: { reason: 'tx_insufficient_balance', operationId: OPERATION },
  INSUFFICIENT_SCOPE: { required: 'write' },
  OPERATOR_ROLE_REQUIRED: { required: ['finance', 'admin'] },
  CSRF_REQUIRED: { reason: 'X-Holdfast-Csrf is missing' },
  USER_NOT_FOUND: { userId: USER },
  ORDER_NOT_FOUND: { orderId: ORDER },
  MILESTONE_NOT_FOUND: { orderId: ORDER, ref: 'design' },
  DISPUTE_NOT_FOUND: { disputeId: 'dsp_00k7qv3zsx5fj2m8r4tw9c6hbd' },
  RESERVATION_NOT_FOUND: {
    orderId: ORDER,
    reason: 'no manual reservation of this order is active',
  },
  FEATURE_NOT_AVAILABLE: { feature: 'lab' },
  ROUTE_NOT_FOUND: { method: 'GET', path: '/api/v1/order' },
  METHOD_NOT_ALLOWED: { method: 'PUT', allowed: ['GET', 'POST'] },
  IDEMPOTENCY_KEY_IN_PROGRESS: { retryAfter: 1 },
  PAYLOAD_TOO_LARGE: { limitBytes: 262_144 },
  UNSUPPORTED_MEDIA_TYPE: { contentType: 'text/plain' },
  INSUFFICIENT_FUNDS: { ...REQUESTED, available: '40.00' },
  RESERVE_NOT_FOUND: { ...REQUESTED, reserved: '0.00' },
  ADJUSTMENT_LIMIT: { ...REQUESTED, limit: '500.00', used: '450.00' },
  AMOUNT_OUT_OF_RANGE: {
    requested: '0.50',
    minimum: '1.00',
    maximum: '50000.00',
    currency: 'USD',
  },
  CURRENCY_NOT_ESCROWABLE: { currency: 'XLM' },
  CURRENCY_NOT_SUPPORTED: { currency: 'XLM' },
  DESTINATION_NOT_SUPPORTED: { type: 'bank' },
  DESTINATION_COOLING: { ...REQUESTED, allowance: '50.00', used: '20.00', retryAfter: 61_200 },
  LIMIT_REACHED: { ...REQUESTED, of: 'user', limit: '1000.00', used: '950.00', retryAfter: 5400 },
  DESTINATION_INVALID: { type: 'crypto', reason: 'the account has no USDC trustline' },
  PAYMENT_ACCOUNT_INVALID: { reason: 'the account is not active' },
  STATEMENT_TOO_LONG: { lines: 120_000, maximum: 100_000 },
  WEBHOOK_URL_REFUSED: { reason: 'the URL must use https' },
  WEBHOOK_LIMIT: { of: 'endpoints', maximum: 100 },
  USER_NOT_ACTIVE: { userId: USER, status: 'SUSPENDED' },
  RATE_LIMITED: { limit: 100, windowSeconds: 60, retryAfter: 12 },
  INTERNAL_ERROR: { reason: '400: the contract is paused', operationId: OPERATION },
  STATEMENT_UNBALANCED: { reason: 'a line is missing' },
  VERIFICATION_FAILED: { reason: 'the network did not respond' },
  SERVICE_UNAVAILABLE: { reason: 'database unavailable', retryAfter: 1 },
  RECOVERING: { retryAfter: 5 },
  ENGINE_UNAVAILABLE: { retryAfter: 2 },
  PAYOUTS_PAUSED: { reason: 'USDC held differs from USDC owed' },
};
