//! Reads answers: the envelope of a success, and every way in which an answer can be an error.
import { type ErrorCode, HoldfastError } from '#errors';
import { RETRY_RULES } from '#generated/error-codes';
import { wholeNumber } from '#platform';

type Json = Readonly<Record<string, unknown>>;

/** What is known of the call when its answer is read. */
export interface Asked {
  readonly what: string;
  readonly baseUrl: string;
  readonly idempotencyKey: string | undefined;
  readonly isRead: boolean;
}

/** What Surface A wraps data in. */
export interface Envelope {
  readonly data: {
    readonly data: unknown;
    readonly hasMore?: boolean;
    readonly nextCursor?: string | null;
  };
  readonly meta?: { readonly timestamp?: string };
}

export function readEnvelope(response: Response, text: string, asked: Asked): Envelope {
  const body = readJson(text);
  if (typeof body !== 'object' || body === null || !('data' in body)) {
    throw unreadable(response, text, asked);
  }
  return body as unknown as Envelope;
}

export function readJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** An answer of Surface A that is no success. */
export function failureOf(response: Response, text: string, asked: Asked): HoldfastError {
  const { code, message, details } = (readJson(text)?.['error'] ?? {}) as Json;
  if (typeof code !== 'string') return unreadable(response, text, asked);
  return failure(code, response, asked, {
    message: typeof message === 'string' ? message : code,
    details,
  });
}

/** A failure whose code is known. */
export function failure(
  code: string,
  response: Response,
  asked: Asked,
  said: { readonly message: string; readonly details: unknown },
): HoldfastError {
  const { message, details } = said;
  const isKnown = Object.hasOwn(RETRY_RULES, code);
  return new HoldfastError(code as ErrorCode, {
    message: `${asked.what}: ${message}`,
    details,
    status: response.status,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterOf(response),
    idempotencyKey: asked.idempotencyKey,
    docUrl: isKnown ? `${asked.baseUrl}/docs/reference/errors/${code.toLowerCase()}/` : undefined,
    ...(asked.isRead ? { isOutcomeKnown: true } : {}),
  });
}

/** Something answered, but not in our words: a proxy, a login page, half of an answer. */
export function unreadable(response: Response, text: string, asked: Asked): HoldfastError {
  return new HoldfastError('UNREADABLE_ANSWER', {
    message: `${asked.what}: status ${response.status}, and the answer is not the service's.`,
    details: { text: text.slice(0, 500) },
    status: response.status,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterOf(response),
    idempotencyKey: asked.idempotencyKey,
    isOutcomeKnown: asked.isRead,
  });
}

export function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined;
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = wholeNumber(response.headers.get('retry-after'));
  return seconds === undefined ? undefined : seconds * 1000;
}
