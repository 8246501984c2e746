//! Every error a caller can receive: one row gives status, retry rule, message and details. Advice
//! is on the error pages (tools/generate/error-advice.ts), not in messages. CONTRIBUTING.md, "Add
//! an error", has the steps for a new one.
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { VALIDATION_RULES } from '#enums';
import { amount, closed, currency, id, nullable, oneOf } from '#fields';
import { anyOf, nounOf } from '#message-words';

/** check-first: the outcome is open; read the resource before repeating. */
export type Retry = 'never' | 'later' | 'after-fixing' | 'check-first';

/** Where an error's status is not the same everywhere. */
interface Statuses {
  readonly usual: number;
  /** On order, escrow, resolution and dispute routes. */
  readonly onOrderRoutes?: number;
  readonly surfaceB?: number;
}

interface ErrorRow<P extends TProperties = TProperties> extends Statuses {
  readonly retry: Retry;
  readonly message: string;
  readonly details: TObject<P>;
  /** Errors that only one surface knows; the others are shared. */
  readonly only?: 'b';
  /** Published, but no caller can receive it today: why. */
  readonly reserved?: string;
}

function error<P extends TProperties = Record<never, never>>(
  status: number | Statuses,
  retry: Retry,
  message: string,
  details?: P,
): ErrorRow<P> {
  const statuses = typeof status === 'number' ? { usual: status } : status;
  return { ...statuses, retry, message, details: closed(details ?? ({} as P)) };
}

function memberError<P extends TProperties = Record<never, never>>(
  status: number,
  retry: Retry,
  message: string,
  details?: P,
): ErrorRow<P> {
  return { ...error(status, retry, message, details), only: 'b' };
}

function reserved<P extends TProperties>(row: ErrorRow<P>, why: string): ErrorRow<P> {
  return { ...row, reserved: why };
}

const maybeText = () => Type.Optional(Type.String());
const retryAfter = () => Type.Optional(Type.Integer({ minimum: 0 }));
const fieldError = () =>
  closed({ field: Type.String(), rule: oneOf(VALIDATION_RULES), message: Type.String() });
const money = { requested: amount(), currency: currency() };
const hold = { ...money, reserved: amount(), reason: maybeText() };

// biome-ignore format: a table is the one thing exempt from the line limit.
export const errors = {
  // 400
  VALIDATION_ERROR: error({ usual: 400, surfaceB: 422 }, 'after-fixing', 'Request is invalid.', { errors: Type.Optional(Type.Array(fieldError())), validationErrors: Type.Array(Type.String()) }),
  INVALID_AMOUNT: error(400, 'after-fixing', 'Amount is invalid.', { amount: maybeText(), reason: Type.String() }),
  INVALID_STATE: error({ usual: 409, onOrderRoutes: 400 }, 'never', 'The state of the resource does not allow this call.', {
    resource: Type.String(), id: maybeText(), state: Type.String(), allowed: Type.Optional(Type.Array(Type.String())), unfinishedMilestones: Type.Optional(Type.Array(Type.String())), reason: maybeText(),
  }),
  RESERVATION_EXCEEDED: error(400, 'never', 'Amount exceeds the manual reservations of the user.', hold),
  INVALID_RESERVED_DEDUCTION: error(400, 'never', 'Amount exceeds the manual reservations of the user.', hold),
  MARKETPLACE_REQUIRED: error(400, 'after-fixing', 'The X-Holdfast-Marketplace header is missing.'),
  REASON_REQUIRED: error(400, 'after-fixing', 'A reason is required.'),
  ESCROW_FUNDING_FAILED: error(400, 'never', 'Escrow funding was rejected by the provider and rolled back.', { reason: Type.String(), operationId: Type.Optional(id('op')) }),

  // 401 and 403
  UNAUTHORIZED: error(401, 'after-fixing', 'The API key or token is missing or invalid.'),
  WEBHOOK_SIGNATURE_INVALID: error(401, 'after-fixing', 'Signature does not match the body.'),
  SIGN_IN_REFUSED: error(401, 'after-fixing', 'Email, password or code is invalid.'),
  INSUFFICIENT_SCOPE: error(403, 'never', 'The key lacks the required scope.', { required: Type.String() }),
  OPERATOR_ROLE_REQUIRED: error(403, 'never', 'The operator lacks the required role.', { required: Type.Array(Type.String()) }),
  CSRF_REQUIRED: error(403, 'after-fixing', 'CSRF token or origin is invalid.', { reason: Type.String() }),
  APPROVER_TOO_NEW: error(403, 'never', 'The operator was activated recently and cannot approve anything yet.', { from: Type.String() }),
  INVITATION_INVALID: error(403, 'never', 'The link is invalid, was used, or has expired.'),
  SECOND_APPROVER_REQUIRED: error(403, 'never', 'The requester cannot approve or reject their own request.', { requestedBy: id('opr') }),
  PLATFORM_ADMIN_REQUIRED: error(403, 'never', 'Two platform admins are active: this takes them, not the master key.', {}),

  // 404
  USER_NOT_FOUND: error(404, 'never', 'User not found.', { userId: Type.String() }),
  ORDER_NOT_FOUND: error(404, 'never', 'Order not found.', { orderId: Type.String() }),
  MILESTONE_NOT_FOUND: error(404, 'never', 'Milestone not found.', { orderId: Type.String(), ref: Type.String() }),
  DISPUTE_NOT_FOUND: error(404, 'never', 'Dispute not found.', { disputeId: Type.String() }),
  TOPUP_NOT_FOUND: error(404, 'never', 'Top-up not found.', { topupId: Type.String() }),
  WITHDRAWAL_NOT_FOUND: error(404, 'never', 'Withdrawal not found.', { withdrawalId: Type.String() }),
  RESERVATION_NOT_FOUND: error(404, 'never', 'The order has no active manual reservation.', { orderId: Type.String(), reason: Type.String() }),
  API_KEY_NOT_FOUND: error(404, 'never', 'API key not found.', { apiKeyId: Type.String() }),
  MARKETPLACE_NOT_FOUND: error(404, 'never', 'Marketplace not found.', { marketplaceId: Type.String() }),
  OPERATION_NOT_FOUND: error(404, 'never', 'Operation not found.', { operationId: Type.String() }),
  RUN_NOT_FOUND: error(404, 'never', 'Reconciliation run not found.', { runId: Type.String() }),
  EXCEPTION_NOT_FOUND: error(404, 'never', 'Reconciliation exception not found.', { exceptionId: Type.String() }),
  WEBHOOK_ENDPOINT_NOT_FOUND: error(404, 'never', 'Webhook endpoint not found.', { webhookEndpointId: Type.String() }),
  EVENT_NOT_FOUND: error(404, 'never', 'Event not found; it may no longer be retained.', { eventId: Type.String() }),
  KEY_REQUESTER_REQUIRED: error(403, 'never', 'Only the operator who requested the key can fetch its secret.'),
  SESSION_NOT_FOUND: error(404, 'never', 'Session not found.', { sessionId: Type.String() }),
  OPERATOR_NOT_FOUND: error(404, 'never', 'Operator not found.', { operatorId: Type.String() }),
  APPROVAL_NOT_FOUND: error(404, 'never', 'Approval not found.', { approvalId: Type.String() }),
  ACCOUNT_NOT_FOUND: error(404, 'never', 'Account not found.', { accountId: Type.String() }),
  ENTRY_NOT_FOUND: error(404, 'never', 'Entry not found.', { entryId: Type.String() }),
  NOTIFICATION_NOT_FOUND: error(404, 'never', 'Notification not found.', { notificationId: Type.String() }),
  FEATURE_NOT_AVAILABLE: error(404, 'never', 'This feature is not enabled in this deployment.', { feature: Type.String() }),
  ROUTE_NOT_FOUND: error(404, 'never', 'Route not found.', { method: Type.String(), path: Type.String() }),
  METHOD_NOT_ALLOWED: error(405, 'never', 'Method is not allowed on this route.', { method: Type.String(), allowed: Type.Array(Type.String()) }),

  // 409
  DISPUTE_ALREADY_OPEN: reserved(error(409, 'never', 'The order has an unresolved dispute.', { disputeId: Type.String() }), 'cannot occur while disputes concern whole orders'),
  ESCROW_ALREADY_EXISTS: error(409, 'never', 'The order already has an escrow.', { escrowId: Type.String() }),
  IDEMPOTENCY_KEY_REUSED: error(409, 'never', 'The Idempotency-Key was already used with a different request.'),
  IDEMPOTENCY_KEY_IN_PROGRESS: error(409, 'later', 'The first request with this Idempotency-Key is still in progress.', { retryAfter: retryAfter() }),
  CLIENT_ORDER_REF_REUSED: error(409, 'never', 'An order with this clientOrderRef exists with different data.', { clientOrderRef: Type.String(), orderId: id('ord') }),
  USER_ALREADY_EXISTS: error(409, 'never', 'A user with this externalUserId exists with different data.', { externalUserId: Type.String(), userId: id('usr') }),
  PAYMENT_ACCOUNT_TAKEN: error(409, 'never', 'The payment account is linked to another user.'),
  OPERATOR_EXISTS: error(409, 'after-fixing', 'An operator with this email address already exists.'),
  REFERENCE_REUSED: error(409, 'never', 'Reference was used for a different credit or debit.', { reference: Type.String() }),

  // 410
  CURSOR_EXPIRED: error(410, 'after-fixing', 'The cursor is older than the retention period.', { retainedSince: Type.String() }),

  // 413 and 415
  PAYLOAD_TOO_LARGE: error(413, 'after-fixing', 'Body is too large.', { limitBytes: Type.Integer() }),
  UNSUPPORTED_MEDIA_TYPE: error(415, 'after-fixing', 'Content-Type must be application/json.', { contentType: maybeText() }),

  // 422
  CONFIRMATION_CODE_INVALID: error(422, 'after-fixing', 'The confirmation code is wrong.', { attemptsLeft: Type.Integer() }),
  INSUFFICIENT_FUNDS: error({ usual: 422, surfaceB: 400 }, 'after-fixing', 'Available balance is too low.', { ...money, available: amount(), unconfirmed: Type.Optional(amount()) }),
  RESERVE_NOT_FOUND: error(422, 'after-fixing', 'The reserved amount is less than the order amount.', { ...money, reserved: amount() }),
  ADJUSTMENT_LIMIT: error(422, 'never', 'The adjustment limit of the marketplace has been reached.', { ...money, limit: amount(), used: amount() }),
  AMOUNT_OUT_OF_RANGE: error(422, 'after-fixing', 'Amount is out of range.', { ...money, minimum: amount(), maximum: amount() }),
  CURRENCY_NOT_ESCROWABLE: error(422, 'after-fixing', 'Currency cannot be held in escrow.', { currency: currency() }),
  CURRENCY_NOT_SUPPORTED: error(422, 'after-fixing', 'Currency is not supported for this payment method.', { currency: currency() }),
  DESTINATION_NOT_SUPPORTED: error(422, 'after-fixing', 'Destination type is not supported in this deployment.', { type: Type.String() }),
  DESTINATION_INVALID: error(422, 'after-fixing', 'Destination cannot receive this withdrawal.', { type: Type.String(), reason: Type.String() }),
  DESTINATION_COOLING: error(422, 'later', 'The destination is new to the user: payouts to it have to wait.', { ...money, allowance: amount(), used: amount(), retryAfter: Type.Integer({ minimum: 0 }) }),
  LIMIT_REACHED: error(422, 'later', 'The payout limit of 24 hours has been reached.', { ...money, of: oneOf(['user', 'marketplace']), limit: amount(), used: amount(), retryAfter: retryAfter() }),
  PAYMENT_ACCOUNT_INVALID: error(422, 'after-fixing', 'No active payment account found.', { reason: Type.String() }),
  STATEMENT_TOO_LONG: error(422, 'after-fixing', 'Statement has too many lines.', { lines: Type.Integer(), maximum: Type.Integer() }),
  WEBHOOK_URL_REFUSED: error(422, 'after-fixing', 'Webhooks cannot be sent to this URL.', { reason: Type.String() }),
  WEBHOOK_LIMIT: error(422, 'after-fixing', 'Webhook limit reached.', { of: Type.String(), maximum: Type.Integer() }),
  USER_NOT_ACTIVE: error(422, 'later', 'User is not active.', { userId: Type.String(), status: Type.String() }),

  // 429
  RATE_LIMITED: error(429, 'later', 'Too many requests.', { limit: Type.Integer(), windowSeconds: Type.Integer(), retryAfter: Type.Integer({ minimum: 0 }) }),

  // 500 and above
  INTERNAL_ERROR: error(500, 'later', 'Internal error.', { reason: maybeText(), operationId: Type.Optional(id('op')) }),
  STATEMENT_UNBALANCED: error(500, 'later', 'Statement does not balance.', { reason: Type.String() }),
  VERIFICATION_FAILED: error(500, 'later', 'The balance on the blockchain could not be read.', { reason: Type.String() }),
  SERVICE_UNAVAILABLE: error(503, 'later', 'Service is temporarily unavailable.', { reason: maybeText(), retryAfter: retryAfter() }),
  RECOVERING: error(503, 'later', 'The database is being recovered; nothing was changed.', { retryAfter: retryAfter() }),
  ENGINE_UNAVAILABLE: error(503, 'later', 'The workflow engine is unavailable.', { retryAfter: retryAfter() }),
  PAYOUTS_PAUSED: error(503, 'later', 'Payouts are paused.', { reason: maybeText() }),
  MARKETPLACE_FROZEN: error(503, 'later', 'The marketplace is frozen.', { reason: maybeText() }),
  PROVIDER_TIMEOUT: error(504, 'check-first', 'No reply from the provider; the outcome is unknown.', { operationId: nullable(id('op')) }),

  // Surface B only
  INVALID_CREDENTIALS: memberError(401, 'after-fixing', 'Invalid email or password.'),
  NOT_THE_BUYER: memberError(401, 'never', 'Only the buyer can release the escrow.', { escrowId: Type.String() }),
  INVALID_PUBLIC_KEY: memberError(400, 'after-fixing', 'Invalid public key format.'),
  WALLET_PROOF_INVALID: memberError(400, 'after-fixing', 'Signature does not prove ownership of the wallet.'),
  RESET_TOKEN_INVALID: memberError(400, 'after-fixing', 'Token for a new password is invalid or expired.'),
  EMAIL_TAKEN: memberError(422, 'after-fixing', 'Email is already registered.'),
  PROJECT_NOT_FOUND: memberError(404, 'never', 'Project not found.', { projectId: Type.String() }),
  ESCROW_NOT_FOUND: memberError(404, 'never', 'Escrow not found.', { escrowId: Type.String() }),
} as const;

export type ErrorCode = keyof typeof errors;

type PropertiesOf<C extends ErrorCode> =
  (typeof errors)[C]['details'] extends TObject<infer P> ? P : never;

export type DetailsOf<C extends ErrorCode> = [keyof PropertiesOf<C>] extends [never]
  ? Record<string, never>
  : Static<(typeof errors)[C]['details']>;

type CaseMessages = { readonly [C in ErrorCode]?: (details: DetailsOf<C>) => string };

/** Messages that name the values of this case. Without one, the row's own message stands. */
const caseMessages: CaseMessages = {
  INVALID_STATE: invalidState,
  INSUFFICIENT_SCOPE: ({ required }) =>
    required === 'master'
      ? 'This action requires the master key.'
      : `The key lacks the ${required} scope.`,
  OPERATOR_ROLE_REQUIRED: ({ required }) =>
    required.length === 0
      ? 'Operators cannot perform this action.'
      : `This action requires the role ${anyOf(required)}.`,
  RESERVATION_EXCEEDED: manualReservations,
  INVALID_RESERVED_DEDUCTION: manualReservations,
  METHOD_NOT_ALLOWED: ({ method, allowed }) =>
    `${method} is not allowed on this route; use ${anyOf(allowed)}.`,
  PAYLOAD_TOO_LARGE: ({ limitBytes }) => `Body exceeds ${limitBytes} bytes.`,
  INSUFFICIENT_FUNDS: ({ requested, available, unconfirmed: part, currency: unit }) =>
    `Available balance is ${available} ${unit}${part ? `, ${part} of it unconfirmed` : ''}; ` +
    `the request needs ${requested} ${unit}.`,
  ADJUSTMENT_LIMIT: ({ limit, used, requested, currency: unit }) =>
    `The adjustment limit is ${limit} ${unit}, of which ${used} ${unit} is used; ` +
    `the request needs ${requested} ${unit}.`,
  DESTINATION_COOLING: ({ allowance, used, requested, currency: unit }) =>
    `The destination is new to the user: payouts to it have to wait. Of the ${allowance} ${unit} ` +
    `that may go to new destinations in 24 hours, ${used} ${unit} is used; ` +
    `the request needs ${requested} ${unit}.`,
  LIMIT_REACHED: ({ of, limit, used, requested, currency: unit }) =>
    `The payout limit of the ${of} is ${limit} ${unit} in 24 hours, of which ${used} ${unit} is ` +
    `used; the request needs ${requested} ${unit}.`,
  AMOUNT_OUT_OF_RANGE: ({ minimum, maximum, currency: unit }) =>
    `Amount must be between ${minimum} and ${maximum} ${unit}.`,
  CURRENCY_NOT_ESCROWABLE: ({ currency: unit }) => `${unit} cannot be held in escrow.`,
  CURRENCY_NOT_SUPPORTED: ({ currency: unit }) =>
    `${unit} is not supported for this payment method.`,
  STATEMENT_TOO_LONG: ({ lines, maximum }) =>
    `Statement has ${lines} lines; the limit is ${maximum}.`,
  WEBHOOK_LIMIT: ({ of, maximum }) => `Limit of ${maximum} webhook ${of} reached.`,
  USER_NOT_ACTIVE: ({ status }) => `User is ${status}.`,
  RATE_LIMITED: ({ limit, windowSeconds }) =>
    `Limit of ${limit} requests in ${windowSeconds} seconds exceeded.`,
  INTERNAL_ERROR: ({ reason }) =>
    reason === undefined
      ? 'Internal error.'
      : `The request could not be processed: ${reason.replace(/\.$/, '')}.`,
};

/** The message of this case. Surface B sends the row's own: its callers have nothing else. */
export function messageOf<C extends ErrorCode>(code: C, details: DetailsOf<C>): string {
  return caseMessages[code]?.(details) ?? errors[code].message;
}

/** "Order status is CLOSED; this action requires IN_PROGRESS." */
function invalidState(details: DetailsOf<'INVALID_STATE'>): string {
  const { resource, state, allowed = [], unfinishedMilestones = [], reason } = details;
  const is = `${nounOf(resource)} status is ${state}`;
  if (unfinishedMilestones.length > 0)
    return `${is}; milestones not completed: ${unfinishedMilestones.join(', ')}.`;
  if (allowed.length > 0 && !allowed.includes(state))
    return `${is}; this action requires ${anyOf(allowed)}.`;
  return reason === undefined ? `${is}.` : `${is}: ${reason}.`;
}

function manualReservations(details: DetailsOf<'RESERVATION_EXCEEDED'>) {
  const { requested, reserved, currency: unit } = details;
  const amounts = `${reserved} ${unit} reserved, ${requested} ${unit} requested`;
  return `Amount exceeds the manual reservations of the user: ${amounts}.`;
}

/** Errors that the router returns, and no endpoint. */
export const UNROUTED: readonly ErrorCode[] = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** A business "no". Codes and details are the contract; the message is for people. */
export class Refusal<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: C;
  readonly details: DetailsOf<C>;

  constructor(code: C, details: DetailsOf<C>, message: string = messageOf(code, details)) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * Throws a refusal. Details are typed by the code: `refuse('ORDER_NOT_FOUND', {})` does not
 * compile.
 */
export function refuse<C extends ErrorCode>(
  code: C,
  details: DetailsOf<C>,
  message?: string,
): never {
  throw new Refusal(code, details, message);
}

/** The properties of an endpoint that decide the status of an error. */
interface EndpointErrors {
  readonly surface?: 'a' | 'b';
  readonly isOrderRoute?: boolean;
  readonly statuses?: Partial<Record<ErrorCode, number>>;
}

export function statusOf(code: ErrorCode, endpoint: EndpointErrors = {}): number {
  const row: Statuses = errors[code];
  return (
    endpoint.statuses?.[code] ??
    (endpoint.isOrderRoute ? row.onOrderRoutes : undefined) ??
    (endpoint.surface === 'b' ? row.surfaceB : undefined) ??
    row.usual
  );
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}
