//! Errors: one class, distinguished by `code`, with the contract's retry rule.
import type { Approval } from '#generated/approvals-records';
import { type ErrorDetails, RETRY_RULES, type RetryRule } from '#generated/error-codes';

/** Codes of the client's own: what happened on the way, and not at the service. */
export interface ClientErrorDetails {
  /** No response came, or it broke off. */
  CONNECTION_FAILED: { readonly reason: string };
  /** No response came in time. */
  TIMED_OUT: { readonly timeoutMs: number };
  /** The caller's signal ended the call. */
  ABORTED: { readonly reason: string };
  /** The response is not from the service, for example from a proxy. */
  UNREADABLE_RESPONSE: { readonly text: string };
  /** `waitFor`: the state was not reached in time. */
  WAIT_TIMED_OUT: { readonly state: string; readonly wanted: readonly string[] };
  /** `waitFor`: the resource is in another final state. */
  STATE_NOT_REACHED: { readonly state: string; readonly wanted: readonly string[] };
  /** The operator's request requires a second approver; see `outcome()` of such calls. */
  APPROVAL_PENDING: { readonly approval: Approval };
  /** A webhook with a wrong signature, too old, or modified. */
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
  CONNECTION_FAILED: 'check-first',
  TIMED_OUT: 'check-first',
  ABORTED: 'check-first',
  UNREADABLE_RESPONSE: 'check-first',
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
 * Any failure of a call. Branch on `code`; `message` is for people and may change.
 * `isHoldfastError(error, 'INVALID_STATE')` and `switch (error.code)` narrow `details`.
 */
export class HoldfastError<
  C extends ErrorCode | UnknownErrorCode = ErrorCode | UnknownErrorCode,
> extends Error {
  override readonly name = 'HoldfastError';
  readonly code: C;
  /** What the service says of the case; its shape follows from `code`. */
  readonly details: DetailsOf<C>;
  /** The HTTP status; undefined when no response came. */
  readonly status: number | undefined;
  /** Names the request in the service's log, audit records and events. */
  readonly requestId: string | undefined;
  /**
   * What may be done: `later` after nothing was done, `check-first` while the outcome is unknown,
   * `after-fixing` or `never`. It agrees with `isOutcomeKnown`. After INTERNAL_ERROR, `later`
   * does not mean that nothing was done: see its details.
   */
  readonly retry: RetryRule;
  /** Milliseconds to wait, as the service requested. */
  readonly retryAfterMs: number | undefined;
  /** The page about this code, on the service that returned it. */
  readonly docUrl: string | undefined;
  /** The key of the call, to repeat it with: then it happens once. */
  readonly idempotencyKey: string | undefined;
  /**
   * False when the call may have been carried out: read the resource before you repeat it. True
   * for reads, for responses of the service, and for connections that were never opened.
   */
  readonly isOutcomeKnown: boolean;

  constructor(code: C, facts: FailureFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.details = (facts.details ?? {}) as DetailsOf<C>;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.docUrl = facts.docUrl;
    this.idempotencyKey = facts.idempotencyKey;
    const rule = ruleOf(code);
    this.isOutcomeKnown = facts.isOutcomeKnown ?? rule !== 'check-first';
    this.retry = retryOf(rule, this.isOutcomeKnown);
  }

  /** The same request may succeed later. After INTERNAL_ERROR, read the resource first. */
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

/** The rule of the code is for its usual case; what is known of this one counts. */
function retryOf(rule: RetryRule, isOutcomeKnown: boolean): RetryRule {
  if (!isOutcomeKnown) return 'check-first';
  return rule === 'check-first' ? 'later' : rule;
}

/** The same failure of a call that an earlier attempt may have carried out. */
export function withOpenOutcome(error: HoldfastError): HoldfastError {
  const { code, message, details, status, requestId, retryAfterMs, docUrl, cause } = error;
  const { idempotencyKey } = error;
  const fields = { message, details, status, requestId, retryAfterMs, docUrl, cause };
  return new HoldfastError(code, { ...fields, idempotencyKey, isOutcomeKnown: false });
}

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
