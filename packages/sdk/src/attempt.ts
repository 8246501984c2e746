//! One attempt of a call: sends a request and returns the response, or throws a `HoldfastError`.
import { HoldfastError } from '#errors';
import { reasonOf, spanText } from '#platform';

/** A request as it goes out. Hooks may add headers to it. */
export interface OutgoingRequest {
  /** The contract's name of the call, such as `createOrder`. */
  readonly endpoint: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** 0 for the first. */
  readonly attempt: number;
}

export interface AttemptOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly credentials: 'include' | undefined;
  readonly body: string | undefined;
}

/** The response of the service, or of a proxy in front of it. */
interface Received {
  readonly response: Response;
  /** Undefined when the body was left to the caller. */
  readonly text: string | undefined;
}

/** Errors of connecting: the request never left, so nothing was done. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Sends, and reads the whole body within the time, unless `leaveBody` says that it is good. */
export async function attempt(
  request: OutgoingRequest,
  options: AttemptOptions,
  leaveBody: (response: Response) => boolean,
): Promise<Received> {
  const { signal, timeoutMs } = options;
  const ended = new AbortController();
  const stop = () => ended.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ended.abort();
  }, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) ended.abort();
  let isLeft = false;
  try {
    const response = await options.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      signal: ended.signal,
      redirect: 'manual',
      ...(options.body === undefined ? {} : { body: options.body }),
      ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    });
    isLeft = leaveBody(response);
    return { response, text: isLeft ? undefined : await response.text() };
  } catch (cause) {
    throw lost(request, cause, { isLate, timeoutMs, signal });
  } finally {
    clearTimeout(timer);
    // A body that is read later still ends with the caller's signal.
    if (!isLeft) signal?.removeEventListener('abort', stop);
  }
}

interface HowLost {
  readonly isLate: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

function lost(request: OutgoingRequest, cause: unknown, how: HowLost): HoldfastError {
  const what = `${request.method} ${new URL(request.url).pathname}`;
  const isRead = request.method === 'GET';
  const idempotencyKey = request.headers.get('idempotency-key') ?? undefined;
  if (how.signal?.aborted) {
    const reason = reasonOf(how.signal).message;
    return new HoldfastError('ABORTED', {
      message: `${what}: aborted: ${reason}`,
      details: { reason },
      isOutcomeKnown: isRead,
      idempotencyKey,
      cause,
    });
  }
  if (how.isLate) {
    return new HoldfastError('TIMED_OUT', {
      message: `${what}: no response within ${spanText(how.timeoutMs)}.`,
      details: { timeoutMs: how.timeoutMs },
      isOutcomeKnown: isRead,
      idempotencyKey,
      cause,
    });
  }
  const { code, reason } = reasonFor(cause);
  return new HoldfastError('CONNECTION_FAILED', {
    message: `${what}: no response from ${new URL(request.url).host}: ${reason}`,
    details: { reason },
    isOutcomeKnown: isRead || NEVER_SENT.has(code),
    idempotencyKey,
    cause,
  });
}

/** Runtimes hide what happened in the cause of a `fetch failed`, some in a list of causes. */
function reasonFor(error: unknown): { code: string; reason: string } {
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message?: unknown };
  if (cause instanceof Error) return reasonFor(cause);
  const [first] = (error as { errors?: readonly unknown[] }).errors ?? [];
  const text = typeof message === 'string' && message !== '' ? message : undefined;
  if (first instanceof Error && text === undefined) return reasonFor(first);
  const word = typeof code === 'string' ? code : '';
  return { code: word, reason: text ?? (word === '' ? 'the connection failed' : word) };
}
