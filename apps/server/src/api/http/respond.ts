//! The envelopes of Surface A: success, list and error, each built by one function.

import type { Endpoint } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors, Refusal, statusOf } from '@holdfast/contract/errors';
import { errorPageOf } from '@holdfast/contract/sites';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { StoredResponse } from '../../platform/call.ts';
import type { Page } from '../../platform/database/page.ts';

export interface Meta {
  readonly requestId: string;
  readonly timestamp: string;
}

export function metaOf(requestId: string, at: Instant): Meta {
  return { requestId, timestamp: instantText(at) };
}

export function success(data: unknown, meta: Meta) {
  return { data: { success: true, data }, meta };
}

/** Surface B's envelope of a success. */
export function memberSuccess(data: unknown) {
  return { code: 200, type: 'success', ok: true, message: 'OK', data };
}

/** Surface B's error envelope: it has no code, so the message comes from the error's row. */
export function memberErrorBody(refusal: Refusal, status: number) {
  const { code, details } = refusal;
  const { message } = errors[code];
  const body = { code: status, type: 'error', ok: false, message, data: null };
  const { validationErrors } = details as { validationErrors?: string[] };
  if (validationErrors !== undefined) return { ...body, errors: validationErrors };
  return status === 422 ? { ...body, errors: [message] } : body;
}

export function successPage<T>(page: Page<T>, view: (item: T) => unknown, meta: Meta) {
  const { hasMore, nextCursor } = page;
  return { data: { success: true, data: page.items.map(view), hasMore, nextCursor }, meta };
}

export function errorBody({ code, message, details }: Refusal) {
  const hasDetails = Object.keys(details).length > 0;
  return { error: { code, message, ...(hasDetails ? { details } : {}) } };
}

/** The page with cause and advice: the message has neither. */
export function helpLink(code: ErrorCode): string {
  return `<${errorPageOf(code)}>; rel="help"`;
}

/** Business refusals are stored under an Idempotency-Key; refusals that a retry may fix are not. */
const NOT_STORED = new Set<ErrorCode>([
  'VALIDATION_ERROR',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'RATE_LIMITED',
  'DESTINATION_COOLING',
  'LIMIT_REACHED',
]);

function isStored(refusal: Refusal, endpoint: Endpoint): boolean {
  const status = statusOf(refusal.code, endpoint);
  return (
    status >= 400 &&
    status < 500 &&
    status !== 401 &&
    status !== 403 &&
    !NOT_STORED.has(refusal.code)
  );
}

/** Builds the whole response of a refusal; undefined when it must not be stored. */
export function renderRefusal(endpoint: Endpoint, error: Error): StoredResponse | undefined {
  if (!(error instanceof Refusal) || !isStored(error, endpoint)) return undefined;
  return { status: statusOf(error.code, endpoint), body: JSON.stringify(errorBody(error)) };
}

/** Any other thrown error is a bug: the response reveals nothing of it. */
export function bug(): Refusal<'INTERNAL_ERROR'> {
  return new Refusal('INTERNAL_ERROR', {});
}
