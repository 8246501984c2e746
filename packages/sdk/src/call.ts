//! A call: a promise of its data that can also be had as a value, or with the whole answer.
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
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly headers: Headers;
  /** Attempts before this one. */
  readonly retries: number;
  readonly idempotencyKey: string | undefined;
  /** The service had carried the call out before and gives the first answer again. */
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
  readonly #answer: Promise<Answer<T>>;

  /** What follows a call (`then`, `catch`) is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(answer: Promise<Answer<T>>) {
    super((resolve, reject) => answer.then(({ data }) => resolve(data), reject));
    this.#answer = answer;
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
  withResponse(): Promise<Answer<T>> {
    this.catch(() => undefined); // Whoever asks this way hears of a failure this way.
    return this.#answer;
  }
}

/** What became of a call that a second person may have to agree to. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly data: T }
  | { readonly kind: 'asked'; readonly approval: Approval };

/**
 * A call that decides about money. To a key it is like any other. What an operator asks for may
 * need a second one: `await call.outcome()` tells done from asked, and `await call` throws
 * `APPROVAL_PENDING`.
 */
export class DecisionCall<T> extends Call<T> {
  constructor(answer: Promise<Answer<T | Approval>>) {
    super(answer.then(unlessAsked<T>));
  }

  /** What was done, or the approval that waits for a second person. */
  outcome(): Promise<Outcome<T>> {
    return this.then(
      (data) => ({ kind: 'done', data }),
      (error: unknown) => {
        if (!isHoldfastError(error, 'APPROVAL_PENDING')) throw error;
        return { kind: 'asked', approval: error.details.approval };
      },
    );
  }
}

/** Instead of the data comes an approval. */
const ASKED_STATUS = 202;

function unlessAsked<T>(answer: Answer<T | Approval>): Answer<T> {
  const { status, requestId, idempotencyKey } = answer;
  if (status !== ASKED_STATUS) return answer as Answer<T>;
  const approval = answer.data as Approval;
  throw new HoldfastError('APPROVAL_PENDING', {
    message: `${approval.action} waits for a second person: ${approval.id}.`,
    details: { approval },
    status,
    requestId,
    idempotencyKey,
  });
}
