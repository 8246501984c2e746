//! Errors: one class, told apart by `code`, which carries what the contract says may be done.
import type { Approval } from '#generated/approvals-records';
import { type ErrorDetails, RETRY_RULES, type RetryRule } from '#generated/error-codes';

/** Codes of the client's own: what happened on the way, and not at the service. */
export interface ClientErrorDetails {
  /** No answer came, or it broke off. */
  CONNECTION_FAILED: { readonly reason: string };
  /** No answer came in time. */
  TIMED_OUT: { readonly timeoutMs: number };
  /** The caller's signal ended the call. */
  ABORTED: { readonly reason: string };
  /** Something answered that is not the service, such as a proxy. */
  UNREADABLE_ANSWER: { readonly text: string };
  /** `waitFor`: the state did not come in time. */
  WAIT_TIMED_OUT: { readonly state: string; readonly wanted: readonly string[] };
  /** `waitFor`: it has ended elsewhere, so the state will never come. */
  STATE_NOT_REACHED: { readonly state: string; readonly wanted: readonly string[] };
  /** A second person must agree to what an operator asked for; see `outcome()` of such calls. */
  APPROVAL_PENDING: { readonly approval: Approval };
  /** A webhook that is not ours, too old, or changed on the way. */
  WEBHOOK_REJECTED: { readonly reason: string };
}

/** Stands for every code that is newer than this version of the SDK; at run time it is its name. */
export type UnknownErrorCode = '(newer than this SDK)';

interface AllDetails extends ErrorDetails, ClientErrorDetails {}

/** A code of the service or of the client that this version of the SDK knows. */
export type ErrorCode = keyof AllDetails;

export type DetailsOf<C extends ErrorCode | UnknownErrorCode> = C extends ErrorCode
  ? AllDetails[C]
  : Readonly<Record<string, unknown>>;

const CLIENT_RULES: Readonly<Record<keyof ClientErrorDetails, RetryRule>> = {
  CONNECTION_FAILED: 'look-first',
  TIMED_OUT: 'look-first',
  ABORTED: 'look-first',
  UNREADABLE_ANSWER: 'look-first',
  WAIT_TIMED_OUT: 'later',
  STATE_NOT_REACHED: 'never',
  APPROVAL_PENDING: 'never',
  WEBHOOK_REJECTED: 'never',
};

/** What is known of a failure besides its code. */
export interface FailureFacts {
  readonly message: string;
  readonly details?: unknown;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly docUrl?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly isOutcomeKnown?: boolean;
  readonly cause?: unknown;
}

/**
 * Whatever goes wrong with a call. Branch on `code`; `message` is for people and may change.
 * `isHoldfastError(error, 'INVALID_STATE')` and `switch (error.code)` narrow `details`.
 */
export class HoldfastError<
  C extends ErrorCode | UnknownErrorCode = ErrorCode | UnknownErrorCode,
> extends Error {
  override readonly name = 'HoldfastError';
  readonly code: C;
  /** What the service says of the case; its shape follows from `code`. */
  readonly details: DetailsOf<C>;
  /** The HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** Names the request in the service's log, audit entries and events. */
  readonly requestId: string | undefined;
  /** What the contract says may be done. */
  readonly retry: RetryRule;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The page about this code, on the service that answered. */
  readonly docUrl: string | undefined;
  /** The key of the call, to repeat it with: then it happens once. */
  readonly idempotencyKey: string | undefined;
  /** False when nobody can say yet whether the call was carried out: read before you repeat. */
  readonly isOutcomeKnown: boolean;

  constructor(code: C, facts: FailureFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.details = (facts.details ?? {}) as DetailsOf<C>;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retry = ruleOf(code);
    this.retryAfterMs = facts.retryAfterMs;
    this.docUrl = facts.docUrl;
    this.idempotencyKey = facts.idempotencyKey;
    this.isOutcomeKnown = facts.isOutcomeKnown ?? this.retry !== 'look-first';
  }

  /** The same request may succeed later: nothing was done. */
  get retryable(): boolean {
    return this.retry === 'later';
  }

  toJSON(): Readonly<Record<string, unknown>> {
    const { code, message, details, status, requestId, retry, docUrl, isOutcomeKnown } = this;
    return { code, message, details, status, requestId, retry, docUrl, isOutcomeKnown };
  }
}

/** The union that `switch (error.code)` narrows. */
export type HoldfastFailure = {
  [C in ErrorCode | UnknownErrorCode]: HoldfastError<C>;
}[ErrorCode | UnknownErrorCode];

function ruleOf(code: string): RetryRule {
  const rules: Readonly<Record<string, RetryRule>> = { ...RETRY_RULES, ...CLIENT_RULES };
  return Object.hasOwn(rules, code) ? (rules[code] ?? 'never') : 'never';
}

/** Whether something thrown is ours; with codes, whether it is one of those. */
export function isHoldfastError(error: unknown): error is HoldfastFailure;
export function isHoldfastError<C extends ErrorCode>(
  error: unknown,
  ...codes: readonly [C, ...C[]]
): error is { [K in C]: HoldfastError<K> }[C];
export function isHoldfastError(error: unknown, ...codes: readonly string[]): boolean {
  // By name and not by class: two copies of the package may meet in one program.
  const isOurs = error instanceof Error && error.name === 'HoldfastError';
  return isOurs && (codes.length === 0 || codes.includes((error as HoldfastError).code));
}
