//! The envelopes of Surface A: success, list and error, each made in one place.

import type { Endpoint } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors, Refusal, statusOf } from '@holdfast/contract/errors';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { StoredAnswer } from '../platform/call.ts';
import type { Page } from '../platform/page.ts';

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

/** Surface B's envelope of an error; a malformed request says all that is wrong with it. */
export function memberErrorBody(refusal: Refusal, status: number) {
  const { message, details } = refusal;
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

/** Business refusals are kept under an Idempotency-Key; what a second try may mend is not. */
const NOT_KEPT = new Set<ErrorCode>([
  'VALIDATION_ERROR',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'RATE_LIMITED',
]);

function isKept(refusal: Refusal, endpoint: Endpoint): boolean {
  const status = statusOf(refusal.code, endpoint);
  return (
    status >= 400 && status < 500 && status !== 401 && status !== 403 && !NOT_KEPT.has(refusal.code)
  );
}

/** The whole answer of a refusal, or nothing when it is not one to keep. */
export function renderRefusal(endpoint: Endpoint, error: Error): StoredAnswer | undefined {
  if (!(error instanceof Refusal) || !isKept(error, endpoint)) return undefined;
  return { status: statusOf(error.code, endpoint), body: JSON.stringify(errorBody(error)) };
}

/** Anything thrown that is no refusal is a bug: the caller learns nothing of it. */
export function bug(): Refusal<'INTERNAL_ERROR'> {
  return new Refusal('INTERNAL_ERROR', {}, errors.INTERNAL_ERROR.message);
}
