//! Reads responses: the envelope of a success, and every form of an error.
import { type ErrorCode, HoldfastError } from '#errors';
import { RETRY_RULES } from '#generated/error-codes';
import { wholeNumber } from '#platform';

type Json = Readonly<Record<string, unknown>>;

/** The facts about the call that are needed to read its response. */
export interface CallContext {
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

export function readEnvelope(response: Response, text: string, context: CallContext): Envelope {
  const body = readJson(text);
  if (typeof body !== 'object' || body === null || !('data' in body)) {
    throw unreadable(response, text, context);
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

/** A response of Surface A that is no success. */
export function failureOf(response: Response, text: string, context: CallContext): HoldfastError {
  const { code, message, details } = (readJson(text)?.['error'] ?? {}) as Json;
  if (typeof code !== 'string') return unreadable(response, text, context);
  return failure(code, response, context, {
    message: withFields(typeof message === 'string' ? message : code, code, details),
    details,
  });
}

interface InvalidField {
  readonly field?: unknown;
  readonly message?: unknown;
}

/** Adds the message of each field, for callers who read no more than the message. */
export function withFields(message: string, code: string, details: unknown): string {
  if (code !== 'VALIDATION_ERROR') return message;
  const { errors, validationErrors } = (details ?? {}) as Json;
  const fields = Array.isArray(errors)
    ? (errors as readonly InvalidField[]).map(fieldText)
    : Array.isArray(validationErrors)
      ? validationErrors.map(String)
      : [];
  if (fields.length === 0) return message;
  return `${message.replace(/\.$/, '')}: ${fields.join('; ')}`;
}

function fieldText({ field, message }: InvalidField): string {
  const text = String(message);
  return typeof field !== 'string' || field === '' || text.includes(field)
    ? text
    : `${field} ${text}`;
}

/** A failure whose code is known. */
export function failure(
  code: string,
  response: Response,
  context: CallContext,
  error: { readonly message: string; readonly details: unknown },
): HoldfastError {
  const { message, details } = error;
  const isKnown = Object.hasOwn(RETRY_RULES, code);
  return new HoldfastError(code as ErrorCode, {
    message: `${context.what}: ${message}`,
    details,
    status: response.status,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterOf(response),
    idempotencyKey: context.idempotencyKey,
    docUrl: isKnown ? `${context.baseUrl}/docs/reference/errors/${code.toLowerCase()}/` : undefined,
    ...(context.isRead ? { isOutcomeKnown: true } : {}),
  });
}

/** A response in another format: from a proxy, a login page, or half of a response. */
export function unreadable(response: Response, text: string, context: CallContext): HoldfastError {
  return new HoldfastError('UNREADABLE_RESPONSE', {
    message: `${context.what}: unexpected response with status ${response.status}; not from Holdfast.`,
    details: { text: text.slice(0, 500) },
    status: response.status,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterOf(response),
    idempotencyKey: context.idempotencyKey,
    isOutcomeKnown: context.isRead,
  });
}

export function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined;
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = wholeNumber(response.headers.get('retry-after'));
  return seconds === undefined ? undefined : seconds * 1000;
}
