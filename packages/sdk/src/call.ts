//! A call: a promise of its data that also gives a result value or the whole response.
import { HoldfastError, type HoldfastFailure, isHoldfastError } from '#errors';
import type { Approval } from '#generated/approvals-records';

/** What every call takes besides its input. */
export interface CallOptions {
  /** Ends the call, its retries and its waiting. */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt; the client's own when absent. */
  readonly timeoutMs?: number | undefined;
  /** The client's own when absent. */
  readonly maxRetries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Why an operator changes something, for the audit log; a key needs none. */
  readonly reason?: string | undefined;
}

/** What a call takes that honours an Idempotency-Key. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * One key for one intention: a repeat with the same key happens once. Any text of yours will do,
   * such as the id of a cart; made up for each call when absent.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The data and what surrounded it. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly headers: Headers;
  /** Attempts before this one. */
  readonly retries: number;
  readonly idempotencyKey: string | undefined;
  /** The service executed the call before and returns the first response again. */
  readonly isReplay: boolean;
}

/** The outcome as a value: no try, no catch. */
export type Result<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: HoldfastFailure };

/**
 * A call under way. `await` gives its data or throws a `HoldfastError`; `await call.result()` gives
 * `{ ok, data }` or `{ ok, error }` and throws nothing of ours.
 */
export class Call<T> extends Promise<T> {
  readonly #response: Promise<ApiResponse<T>>;

  /** What follows a call (`then`, `catch`) is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(response: Promise<ApiResponse<T>>) {
    super((resolve, reject) => response.then(({ data }) => resolve(data), reject));
    this.#response = response;
  }

  /** The outcome as a value. What is no failure of the call, such as a bug, is still thrown. */
  result(): Promise<Result<T>> {
    return this.then(
      (data) => ({ ok: true, data }),
      (error: unknown) => {
        if (isHoldfastError(error)) return { ok: false, error };
        throw error;
      },
    );
  }

  /** The data with status, request id and headers. */
  withResponse(): Promise<ApiResponse<T>> {
    this.catch(() => undefined); // The caller gets the failure from this promise.
    return this.#response;
  }
}

/** The outcome of a call that may need a second approver. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly data: T }
  | { readonly kind: 'approval-pending'; readonly approval: Approval };

/**
 * A call that decides about money. To a key it is like any other. The request of an operator may
 * need a second approver: `await call.outcome()` distinguishes the two cases, and `await call`
 * throws `APPROVAL_PENDING`.
 */
export class DecisionCall<T> extends Call<T> {
  constructor(response: Promise<ApiResponse<T | Approval>>) {
    super(response.then(unlessPending<T>));
  }

  /** What was done, or the approval that waits for a second person. */
  outcome(): Promise<Outcome<T>> {
    return this.then(
      (data) => ({ kind: 'done', data }),
      (error: unknown) => {
        if (!isHoldfastError(error, 'APPROVAL_PENDING')) throw error;
        return { kind: 'approval-pending', approval: error.details.approval };
      },
    );
  }
}

/** Instead of the data comes an approval. */
const APPROVAL_PENDING_STATUS = 202;

function unlessPending<T>(response: ApiResponse<T | Approval>): ApiResponse<T> {
  const { status, requestId, idempotencyKey } = response;
  if (status !== APPROVAL_PENDING_STATUS) return response as ApiResponse<T>;
  const approval = response.data as Approval;
  throw new HoldfastError('APPROVAL_PENDING', {
    message: `${approval.action} requires a second approver; approval ${approval.id} is pending.`,
    details: { approval },
    status,
    requestId,
    idempotencyKey,
  });
}
