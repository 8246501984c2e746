//! Checks the error catalogue against the specification, and the content of a refusal.
import { describe, expect, it } from 'vitest';
import {
  type DetailsOf,
  type ErrorCode,
  errors,
  isErrorCode,
  Refusal,
  refuse,
  statusOf,
} from '#errors';

const codes = Object.keys(errors) as ErrorCode[];

/** The specification's table of errors, and the codes of its balance routes. */
const specified: Record<string, number> = {
  VALIDATION_ERROR: 400,
  INVALID_STATE: 409,
  UNAUTHORIZED: 401,
  WEBHOOK_SIGNATURE_INVALID: 401,
  INSUFFICIENT_SCOPE: 403,
  USER_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  DISPUTE_ALREADY_OPEN: 409,
  ESCROW_ALREADY_EXISTS: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  INSUFFICIENT_FUNDS: 422,
  RESERVE_NOT_FOUND: 422,
  ESCROW_FUNDING_FAILED: 400,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_TIMEOUT: 504,
  INVALID_AMOUNT: 400,
  RESERVATION_EXCEEDED: 400,
  RESERVATION_NOT_FOUND: 404,
  INVALID_RESERVED_DEDUCTION: 400,
  VERIFICATION_FAILED: 500,
};

describe('the catalogue', () => {
  it.each(Object.entries(specified))('has %s with status %i', (code, status) => {
    expect(isErrorCode(code) && statusOf(code)).toBe(status);
  });

  it.each(codes)('%s has a name, a sentence, a retry rule and a status of an error', (code) => {
    const { message, retry, usual } = errors[code];
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(['never', 'later', 'after-fixing', 'check-first']).toContain(retry);
    expect(usual).toBeGreaterThanOrEqual(400);
    expect(usual).toBeLessThan(600);
  });

  it('has the retry rule check-first exactly where the outcome is unknown', () => {
    expect(codes.filter((code) => errors[code].retry === 'check-first')).toEqual([
      'PROVIDER_TIMEOUT',
    ]);
  });

  it('has no retry rule never for a 5xx status', () => {
    for (const code of codes.filter((one) => statusOf(one) >= 500)) {
      expect(errors[code].retry).not.toBe('never');
    }
  });

  it('recognises its codes, and no other words', () => {
    expect(isErrorCode('ORDER_NOT_FOUND')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode('ORDER_LOST')).toBe(false);
  });

  it.each<[ErrorCode, string[]]>([
    ['RESERVE_NOT_FOUND', ['requested', 'reserved', 'currency']],
    ['INSUFFICIENT_FUNDS', ['requested', 'available', 'unconfirmed', 'currency']],
    ['RATE_LIMITED', ['limit', 'windowSeconds', 'retryAfter']],
    ['RESERVATION_EXCEEDED', ['requested', 'reserved', 'currency', 'reason']],
    ['INVALID_RESERVED_DEDUCTION', ['requested', 'reserved', 'currency', 'reason']],
    ['RESERVATION_NOT_FOUND', ['orderId', 'reason']],
    ['PROVIDER_TIMEOUT', ['operationId']],
    ['ADJUSTMENT_LIMIT', ['limit', 'used', 'requested', 'currency']],
    ['VALIDATION_ERROR', ['errors', 'validationErrors']],
    ['DISPUTE_ALREADY_OPEN', ['disputeId']],
  ])('%s carries %j', (code, fields) => {
    expect(Object.keys(errors[code].details.properties).sort()).toEqual([...fields].sort());
  });
});

describe('the status of an error', () => {
  it('is 400 for INVALID_STATE on order routes and 409 elsewhere', () => {
    expect(statusOf('INVALID_STATE', { isOrderRoute: true })).toBe(400);
    expect(statusOf('INVALID_STATE', { surface: 'a' })).toBe(409);
  });

  it('is what Surface B publishes there', () => {
    expect(statusOf('VALIDATION_ERROR', { surface: 'b' })).toBe(422);
    expect(statusOf('INSUFFICIENT_FUNDS', { surface: 'b', isOrderRoute: true })).toBe(400);
  });

  it('is what the endpoint itself says, before anything else', () => {
    expect(statusOf('INVALID_AMOUNT', { statuses: { INVALID_AMOUNT: 422 } })).toBe(422);
    expect(
      statusOf('VALIDATION_ERROR', { surface: 'b', statuses: { VALIDATION_ERROR: 400 } }),
    ).toBe(400);
  });
});

describe('a refusal', () => {
  it('carries code, details and the sentence of the catalogue', () => {
    const refusal = new Refusal('ORDER_NOT_FOUND', { orderId: 'ord_1' });
    expect(refusal).toBeInstanceOf(Error);
    expect([refusal.code, refusal.details, refusal.message]).toEqual([
      'ORDER_NOT_FOUND',
      { orderId: 'ord_1' },
      errors.ORDER_NOT_FOUND.message,
    ]);
  });

  it.each([
    [
      { state: 'CLOSED', allowed: ['IN_PROGRESS'] },
      'Order status is CLOSED; this action requires IN_PROGRESS.',
    ],
    [
      { state: 'A', allowed: ['B', 'C', 'D'] },
      'Order status is A; this action requires B, C or D.',
    ],
    [{ state: 'A', allowed: ['A'], reason: 'it waits' }, 'Order status is A: it waits.'],
    [
      { state: 'IN_PROGRESS', unfinishedMilestones: ['m1', 'm2'], reason: 'x' },
      'Order status is IN_PROGRESS; milestones not completed: m1, m2.',
    ],
    [{ state: 'CLOSED' }, 'Order status is CLOSED.'],
  ])('of a state, %j, names the state and what is required', (details, message) => {
    expect(new Refusal('INVALID_STATE', { resource: 'order', ...details }).message).toBe(message);
  });

  it.each([
    ['apiKey', 'API key status is revoked.'],
    ['ReconciliationException', 'Reconciliation exception status is revoked.'],
    ['webhookEndpoint', 'Webhook endpoint status is revoked.'],
  ])('names the resource %s in words', (resource, message) => {
    expect(new Refusal('INVALID_STATE', { resource, state: 'revoked' }).message).toBe(message);
  });

  it('names the limits that the amount exceeds', () => {
    const details = { requested: '0.50', minimum: '1.00', maximum: '50000.00' };
    expect(new Refusal('AMOUNT_OUT_OF_RANGE', { ...details, currency: 'USD' }).message).toBe(
      'Amount must be between 1.00 and 50000.00 USD.',
    );
    const { message } = new Refusal('WEBHOOK_LIMIT', { of: 'endpoints', maximum: 100 });
    expect(message).toBe('Limit of 100 webhook endpoints reached.');
  });

  it('takes a sentence of its own', () => {
    expect(() => refuse('UNAUTHORIZED', {}, 'The key has expired.')).toThrow(
      'The key has expired.',
    );
    expect(() => refuse('UNAUTHORIZED', {})).toThrow(errors.UNAUTHORIZED.message);
  });
});

/** Never called: the compiler reads it, and complains when one of these lines compiles. */
export function doesNotCompile(): void {
  // @ts-expect-error details that are missing
  refuse('ORDER_NOT_FOUND', {});
  // @ts-expect-error details of another code
  refuse('USER_NOT_FOUND', { orderId: 'ord_1' });
  // @ts-expect-error details where there are none
  refuse('UNAUTHORIZED', { hint: 'x' });
  // @ts-expect-error a code that is not in the catalogue
  refuse('ORDER_LOST', {});
  // @ts-expect-error an amount that is no text
  const details: DetailsOf<'INVALID_AMOUNT'> = { amount: 1, reason: 'x' };
  refuse('INVALID_AMOUNT', details);
}
