import { type ErrorCode, HoldfastError } from '@holdfast/sdk';
import { expect, test } from 'vitest';
import { usageFault } from '../command-fault.ts';
import type { ExitName } from '../exit-codes.ts';
import { faultJson, faultLines, faultOf } from './failure.ts';
import { PLAIN } from './style.ts';

const failure = (code: ErrorCode, status: number | undefined, details: object = {}) =>
  new HoldfastError(code, { message: 'It did not work.', status, details, requestId: 'req-1' });

test.each<[ErrorCode, number | undefined, ExitName]>([
  ['UNAUTHORIZED', 401, 'denied'],
  ['INSUFFICIENT_SCOPE', 403, 'denied'],
  ['ORDER_NOT_FOUND', 404, 'notFound'],
  ['PROVIDER_TIMEOUT', 504, 'unknown'],
  ['RATE_LIMITED', 429, 'later'],
  ['PAYOUTS_PAUSED', 503, 'later'],
  ['REFERENCE_REUSED', 409, 'failed'],
  ['CONNECTION_FAILED', undefined, 'unknown'],
])('%s ends as it should', (code, status, exit) => {
  const details = { required: 'write', operationId: 'op_1' };
  expect(faultOf(failure(code, status, details)).exit).toBe(exit);
});

test('a call that surely did not arrive is only unreachable', () => {
  const error = new HoldfastError('CONNECTION_FAILED', {
    message: 'No connection.',
    details: { reason: 'refused' },
    isOutcomeKnown: true,
  });
  expect(faultOf(error).exit).toBe('unreachable');
});

test('one line says what, one what to do, one which request', () => {
  const details = { resource: 'order', state: 'CLOSED' };
  expect(faultLines(faultOf(failure('INVALID_STATE', 400, details)), PLAIN)).toEqual([
    '✗ It did not work (INVALID_STATE)',
    '  → order is CLOSED',
    '  request req-1',
  ]);
});

test('as JSON it has a stable shape', () => {
  expect(JSON.parse(JSON.stringify(faultJson(usageFault('no', 'do'))))).toEqual({
    error: { code: 'USAGE', message: 'no', cure: 'do', exit: 'usage' },
  });
});
