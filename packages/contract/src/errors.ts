//! Every error a caller can receive: one row gives status, retry rule, sentence and details.
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { amount, closed, currency, id, nullable } from '#fields';

/** look-first: the outcome is open; read the resource before repeating. */
export type Retry = 'never' | 'later' | 'after-fixing' | 'look-first';

/** Where an error's status is not the same everywhere. */
interface Statuses {
  readonly usual: number;
  /** On order, escrow, resolution and dispute routes. */
  readonly orderFamily?: number;
  readonly surfaceB?: number;
}

interface ErrorRow<P extends TProperties = TProperties> extends Statuses {
  readonly retry: Retry;
  readonly message: string;
  readonly details: TObject<P>;
  /** Errors that only one surface knows; the others are shared. */
  readonly only?: 'b';
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

const maybeText = () => Type.Optional(Type.String());
const retryAfter = () => Type.Optional(Type.Integer({ minimum: 0 }));
const money = { requested: amount(), currency: currency() };
const hold = { ...money, reserved: amount(), reason: maybeText() };

// biome-ignore format: a table is the one thing exempt from the line limit.
export const errors = {
  // 400
  VALIDATION_ERROR: error({ usual: 400, surfaceB: 422 }, 'after-fixing', 'The request is malformed.', { validationErrors: Type.Array(Type.String()) }),
  INVALID_AMOUNT: error(400, 'after-fixing', 'The amount is not one that this operation can take.', { amount: maybeText(), reason: Type.String() }),
  INVALID_STATE: error({ usual: 409, orderFamily: 400 }, 'never', 'The resource is past, or not yet at, the state this needs. Branch on the code: the status is 400 on order, escrow, resolution and dispute routes and 409 elsewhere.', {
    resource: Type.String(), id: maybeText(), state: Type.String(), allowed: Type.Optional(Type.Array(Type.String())), unfinishedMilestones: Type.Optional(Type.Array(Type.String())), reason: maybeText(),
  }),
  RESERVATION_EXCEEDED: error(400, 'never', 'More than the manual reservations hold; what an order or a withdrawal owns is not counted.', hold),
  INVALID_RESERVED_DEDUCTION: error(400, 'never', 'More than the manual reservations hold; what an order or a withdrawal owns is not counted.', hold),
  MARKETPLACE_REQUIRED: error(400, 'after-fixing', 'A request with a session names its marketplace in X-Holdfast-Marketplace.'),
  REASON_REQUIRED: error(400, 'after-fixing', 'Whatever an operator changes needs a reason, in X-Holdfast-Reason or in the body.'),
  ESCROW_FUNDING_FAILED: error(400, 'later', 'The funding was refused and rolled back: the money is reserved again and the escrow is archived.', { reason: Type.String(), operationId: Type.Optional(id('op')) }),

  // 401 and 403
  UNAUTHORIZED: error(401, 'after-fixing', 'A valid key or token is needed.'),
  WEBHOOK_SIGNATURE_INVALID: error(401, 'after-fixing', 'The signature does not match the body.'),
  SIGN_IN_REFUSED: error(401, 'after-fixing', 'E-mail, password or code is wrong.'),
  INSUFFICIENT_SCOPE: error(403, 'never', 'The key may not do this.', { required: Type.String() }),
  OPERATOR_ROLE_REQUIRED: error(403, 'never', 'The operator has no role that may do this.', { required: Type.Array(Type.String()) }),
  CSRF_REQUIRED: error(403, 'after-fixing', "A request with a session comes from the console itself: it needs the session's token in X-Holdfast-Csrf and the origin of the service.", { reason: Type.String() }),
  SECOND_PERSON_REQUIRED: error(403, 'never', 'Whoever asked for it cannot decide on it: another operator must.', { requestedBy: id('opr') }),

  // 404
  USER_NOT_FOUND: error(404, 'never', 'No such user here.', { userId: Type.String() }),
  ORDER_NOT_FOUND: error(404, 'never', 'No such order here.', { orderId: Type.String() }),
  MILESTONE_NOT_FOUND: error(404, 'never', 'The order has no such milestone.', { orderId: Type.String(), ref: Type.String() }),
  DISPUTE_NOT_FOUND: error(404, 'never', 'No such dispute here.', { disputeId: Type.String() }),
  TOPUP_NOT_FOUND: error(404, 'never', 'No such top-up here.', { topupId: Type.String() }),
  WITHDRAWAL_NOT_FOUND: error(404, 'never', 'No such withdrawal here.', { withdrawalId: Type.String() }),
  RESERVATION_NOT_FOUND: error(404, 'never', 'No manual reservation of this order is active.', { orderId: Type.String(), reason: Type.String() }),
  API_KEY_NOT_FOUND: error(404, 'never', 'No such API key here.', { apiKeyId: Type.String() }),
  MARKETPLACE_NOT_FOUND: error(404, 'never', 'No such marketplace.', { marketplaceId: Type.String() }),
  OPERATION_NOT_FOUND: error(404, 'never', 'No such operation here.', { operationId: Type.String() }),
  RUN_NOT_FOUND: error(404, 'never', 'No such reconciliation run here.', { runId: Type.String() }),
  EXCEPTION_NOT_FOUND: error(404, 'never', 'No such reconciliation exception here.', { exceptionId: Type.String() }),
  WEBHOOK_ENDPOINT_NOT_FOUND: error(404, 'never', 'No such webhook endpoint here.', { webhookEndpointId: Type.String() }),
  EVENT_NOT_FOUND: error(404, 'never', 'No such event in the log; it may be older than what is kept.', { eventId: Type.String() }),
  OPERATOR_NOT_FOUND: error(404, 'never', 'No such operator.', { operatorId: Type.String() }),
  APPROVAL_NOT_FOUND: error(404, 'never', 'No such approval here.', { approvalId: Type.String() }),
  ACCOUNT_NOT_FOUND: error(404, 'never', 'No such account in the books of this marketplace.', { accountId: Type.String() }),
  ENTRY_NOT_FOUND: error(404, 'never', 'No such entry in the books of this marketplace.', { entryId: Type.String() }),
  NOTICE_NOT_FOUND: error(404, 'never', 'No such notice of a provider here.', { noticeId: Type.String() }),
  FEATURE_NOT_AVAILABLE: error(404, 'never', 'This deployment does not have it.', { feature: Type.String() }),
  ROUTE_NOT_FOUND: error(404, 'never', 'There is no such route.', { method: Type.String(), path: Type.String() }),
  METHOD_NOT_ALLOWED: error(405, 'never', 'The route exists, but not with this method.', { method: Type.String(), allowed: Type.Array(Type.String()) }),

  // 409
  DISPUTE_ALREADY_OPEN: error(409, 'later', 'An unresolved dispute blocks this.', { disputeId: Type.String() }),
  ESCROW_ALREADY_EXISTS: error(409, 'never', 'The order already has an escrow.', { escrowId: Type.String() }),
  IDEMPOTENCY_KEY_REUSED: error(409, 'never', 'This Idempotency-Key came with another body before.'),
  IDEMPOTENCY_KEY_IN_PROGRESS: error(409, 'later', 'The first request with this Idempotency-Key is still running.', { retryAfter: retryAfter() }),
  CLIENT_ORDER_REF_REUSED: error(409, 'never', 'An order with this clientOrderRef exists and differs.', { clientOrderRef: Type.String(), orderId: id('ord') }),
  USER_ALREADY_EXISTS: error(409, 'never', 'A user with this externalUserId exists and differs.', { externalUserId: Type.String(), userId: id('usr') }),
  PAYMENT_ACCOUNT_TAKEN: error(409, 'never', 'Another user holds this payment account.'),
  OPERATOR_EXISTS: error(409, 'after-fixing', 'An operator with this e-mail exists.'),
  REFERENCE_REUSED: error(409, 'never', 'This reference was used for another credit or debit of the user.', { reference: Type.String() }),

  // 410
  CURSOR_EXPIRED: error(410, 'after-fixing', 'The cursor is older than what is kept: events after it may be gone. Read the resources anew and go on from keptSince.', { keptSince: Type.String() }),

  // 413 and 415
  PAYLOAD_TOO_LARGE: error(413, 'after-fixing', 'The body is too large.', { limitBytes: Type.Integer() }),
  UNSUPPORTED_MEDIA_TYPE: error(415, 'after-fixing', 'Send the body as application/json.', { contentType: maybeText() }),

  // 422
  INSUFFICIENT_FUNDS: error({ usual: 422, surfaceB: 400 }, 'after-fixing', 'The available balance is too low.', { ...money, available: amount() }),
  RESERVE_NOT_FOUND: error(422, 'after-fixing', 'The reservation of this order is below its amount.', { ...money, reserved: amount() }),
  ADJUSTMENT_LIMIT: error(422, 'never', "The marketplace's limit on credits and debits is reached; an operator can raise it.", { ...money, limit: amount(), used: amount() }),
  AMOUNT_OUT_OF_RANGE: error(422, 'after-fixing', 'The amount lies outside the limits that GET /config tells.', { ...money, minimum: amount(), maximum: amount() }),
  CURRENCY_NOT_ESCROWABLE: error(422, 'after-fixing', 'Contracts hold USDC; this currency cannot go into escrow.', { currency: currency() }),
  CURRENCY_NOT_SUPPORTED: error(422, 'after-fixing', 'The chosen way of payment does not carry this currency.', { currency: currency() }),
  DESTINATION_NOT_SUPPORTED: error(422, 'after-fixing', 'Withdrawals to this kind of destination are not possible here.', { type: Type.String() }),
  DESTINATION_INVALID: error(422, 'after-fixing', 'The destination cannot receive this withdrawal.', { type: Type.String(), reason: Type.String() }),
  PAYMENT_ACCOUNT_INVALID: error(422, 'after-fixing', 'There is no active payment account to use.', { reason: Type.String() }),
  STATEMENT_TOO_LONG: error(422, 'after-fixing', 'The period has more lines than one statement may have; ask for a shorter one.', { lines: Type.Integer(), maximum: Type.Integer() }),
  WEBHOOK_URL_REFUSED: error(422, 'after-fixing', 'Nothing is ever sent to this address.', { reason: Type.String() }),
  WEBHOOK_LIMIT: error(422, 'after-fixing', 'There are as many as there may be; remove one, or wait for one to end.', { of: Type.String(), maximum: Type.Integer() }),
  USER_NOT_ACTIVE: error(422, 'later', 'The user is not active.', { userId: Type.String(), status: Type.String() }),

  // 429
  RATE_LIMITED: error(429, 'later', 'Too many requests.', { limit: Type.Integer(), windowSeconds: Type.Integer(), retryAfter: Type.Integer({ minimum: 0 }) }),

  // 500 and above
  INTERNAL_ERROR: error(500, 'later', 'Our fault, or a provider refused. Nothing was moved.', { reason: maybeText(), operationId: Type.Optional(id('op')) }),
  STATEMENT_UNBALANCED: error(500, 'later', 'The lines do not sum to the balance, so no statement is given. An operator must look.', { reason: Type.String() }),
  VERIFICATION_FAILED: error(500, 'later', 'The balance on the network could not be read.', { reason: Type.String() }),
  SERVICE_UNAVAILABLE: error(503, 'later', 'Overloaded, shutting down, or without a database. Nothing was done.', { reason: maybeText(), retryAfter: retryAfter() }),
  ENGINE_UNAVAILABLE: error(503, 'later', 'What drives provider calls is away. Nothing was done.', { retryAfter: retryAfter() }),
  PAYOUTS_PAUSED: error(503, 'later', 'Withdrawals are paused. Nothing was done.', { reason: maybeText() }),
  MARKETPLACE_FROZEN: error(503, 'later', 'Money of this marketplace does not move until an operator has looked. Reading goes on.', { reason: maybeText() }),
  PROVIDER_TIMEOUT: error(504, 'look-first', 'The outcome is not known yet; we keep asking. Read the resource before repeating.', { operationId: nullable(id('op')) }),

  // Surface B only
  INVALID_CREDENTIALS: memberError(401, 'after-fixing', 'Invalid email or password.'),
  NOT_THE_BUYER: memberError(401, 'never', 'Only the buyer can release.', { escrowId: Type.String() }),
  INVALID_PUBLIC_KEY: memberError(400, 'after-fixing', 'Invalid public key format.'),
  WALLET_PROOF_INVALID: memberError(400, 'after-fixing', 'The signature does not prove that this wallet is yours.'),
  EMAIL_TAKEN: memberError(422, 'after-fixing', 'This email is registered already.'),
  PROJECT_NOT_FOUND: memberError(404, 'never', 'No such project of yours.', { projectId: Type.String() }),
  ESCROW_NOT_FOUND: memberError(404, 'never', 'No such escrow.', { escrowId: Type.String() }),
} as const;

export type ErrorCode = keyof typeof errors;

type PropertiesOf<C extends ErrorCode> =
  (typeof errors)[C]['details'] extends TObject<infer P> ? P : never;

export type DetailsOf<C extends ErrorCode> = [keyof PropertiesOf<C>] extends [never]
  ? Record<string, never>
  : Static<(typeof errors)[C]['details']>;

/** Answers that no endpoint gives: the router's own. */
export const UNROUTED: readonly ErrorCode[] = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** A business "no". Codes and details are the contract; the message is for people. */
export class Refusal<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: C;
  readonly details: DetailsOf<C>;

  constructor(code: C, details: DetailsOf<C>, message: string = errors[code].message) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Says no. Details are typed by the code: `refuse('ORDER_NOT_FOUND', {})` does not compile. */
export function refuse<C extends ErrorCode>(
  code: C,
  details: DetailsOf<C>,
  message?: string,
): never {
  throw new Refusal(code, details, message);
}

/** What of an endpoint decides the status of an error. */
interface Answering {
  readonly surface?: 'a' | 'b';
  readonly orderFamily?: true;
  readonly statuses?: Partial<Record<ErrorCode, number>>;
}

export function statusOf(code: ErrorCode, endpoint: Answering = {}): number {
  const row: Statuses = errors[code];
  return (
    endpoint.statuses?.[code] ??
    (endpoint.orderFamily ? row.orderFamily : undefined) ??
    (endpoint.surface === 'b' ? row.surfaceB : undefined) ??
    row.usual
  );
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}
