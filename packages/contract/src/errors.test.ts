//! The error catalogue against the specification, and what a refusal carries.
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
    expect(['never', 'later', 'after-fixing', 'look-first']).toContain(retry);
    expect(usual).toBeGreaterThanOrEqual(400);
    expect(usual).toBeLessThan(600);
  });

  it('tells a caller to look first exactly when the outcome is open', () => {
    expect(codes.filter((code) => errors[code].retry === 'look-first')).toEqual([
      'PROVIDER_TIMEOUT',
    ]);
  });

  it('never says "never" about what is not the caller\'s doing', () => {
    for (const code of codes.filter((one) => statusOf(one) >= 500)) {
      expect(errors[code].retry).not.toBe('never');
    }
  });

  it('knows its codes from other words', () => {
    expect(isErrorCode('ORDER_NOT_FOUND')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode('ORDER_LOST')).toBe(false);
  });

  it.each<[ErrorCode, string[]]>([
    ['RESERVE_NOT_FOUND', ['requested', 'reserved', 'currency']],
    ['INSUFFICIENT_FUNDS', ['requested', 'available', 'currency']],
    ['RATE_LIMITED', ['limit', 'windowSeconds', 'retryAfter']],
    ['RESERVATION_EXCEEDED', ['requested', 'reserved', 'currency', 'reason']],
    ['INVALID_RESERVED_DEDUCTION', ['requested', 'reserved', 'currency', 'reason']],
    ['RESERVATION_NOT_FOUND', ['orderId', 'reason']],
    ['PROVIDER_TIMEOUT', ['operationId']],
    ['ADJUSTMENT_LIMIT', ['limit', 'used', 'requested', 'currency']],
    ['VALIDATION_ERROR', ['validationErrors']],
    ['DISPUTE_ALREADY_OPEN', ['disputeId']],
  ])('%s carries %j', (code, fields) => {
    expect(Object.keys(errors[code].details.properties).sort()).toEqual([...fields].sort());
  });
});

describe('the status of an error', () => {
  it('is 400 for INVALID_STATE on order routes and 409 elsewhere', () => {
    expect(statusOf('INVALID_STATE', { orderFamily: true })).toBe(400);
    expect(statusOf('INVALID_STATE', { surface: 'a' })).toBe(409);
  });

  it('is what Surface B publishes there', () => {
    expect(statusOf('VALIDATION_ERROR', { surface: 'b' })).toBe(422);
    expect(statusOf('INSUFFICIENT_FUNDS', { surface: 'b', orderFamily: true })).toBe(400);
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
