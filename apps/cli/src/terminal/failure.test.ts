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
])('%s has the right exit code', (code, status, exit) => {
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

test('a refusal after an attempt with an open outcome leaves the outcome open', () => {
  for (const [code, status] of [
    ['UNAUTHORIZED', 401],
    ['ORDER_NOT_FOUND', 404],
  ] as const) {
    const facts = { message: 'No.', status, details: {}, isOutcomeKnown: false };
    expect(faultOf(new HoldfastError(code, facts)).exit).toBe('unknown');
  }
});

test('one line says what, one what to do, one which request', () => {
  const details = { resource: 'order', id: 'ord_1', state: 'CLOSED' };
  expect(faultLines(faultOf(failure('INVALID_STATE', 400, details)), PLAIN)).toEqual([
    '✗ It did not work (INVALID_STATE)',
    '  → show the allowed actions with: holdfast explain ord_1',
    '  request req-1',
  ]);
});

test('an unknown outcome never suggests to start a server or to repeat the command', () => {
  for (const code of ['CONNECTION_FAILED', 'TIMED_OUT'] as const)
    expect(faultOf(failure(code, undefined)).fix).toBe(
      'the request may have been processed; check the resource before retrying: holdfast explain <id>',
    );
  expect(faultOf(failure('PROVIDER_TIMEOUT', 504, { operationId: 'op_1' })).fix).toBe(
    'the operation may still complete; check before retrying: holdfast explain op_1',
  );
  const { exit, fix } = faultOf(failure('WAIT_TIMED_OUT', undefined));
  expect([exit, fix]).toEqual([
    'unknown',
    'the status may still change; check the resource again later: holdfast explain <id>',
  ]);
});

test('the reason is part of the message', () => {
  const fault = faultOf(failure('PAYOUTS_PAUSED', 503, { reason: 'assets are too low' }));
  expect(fault.message).toBe('It did not work: assets are too low');
  expect(fault.fix).toBe('nothing was done; retry later');
});

test('an internal error without details leaves the outcome open', () => {
  const { exit, fix } = faultOf(failure('INTERNAL_ERROR', 500));
  expect([exit, fix]).toEqual([
    'unknown',
    'the server failed; if the command changes data, check the resource before retrying: holdfast explain <id>',
  ]);
});

test('an internal error of an operation was rolled back, with or without a reason', () => {
  for (const details of [
    { operationId: 'op_1' },
    { operationId: 'op_1', reason: '400: the contract is paused' },
  ]) {
    const { exit, fix } = faultOf(failure('INTERNAL_ERROR', 500, details));
    expect([exit, fix]).toEqual(['later', 'the operation was rolled back; retry later']);
  }
});

test('an internal error with only a reason did nothing, and a retry alone does not help', () => {
  const details = { reason: 'the buyer has no payment account' };
  const { exit, fix } = faultOf(failure('INTERNAL_ERROR', 500, details));
  expect([exit, fix]).toEqual([
    'failed',
    'nothing was done; before retrying, resolve this: the buyer has no payment account',
  ]);
});

test('an internal error after an attempt with an open outcome leaves the outcome open', () => {
  for (const details of [{ operationId: 'op_1' }, { reason: 'the escrow is FUNDED' }]) {
    const facts = { message: 'No.', status: 500, details, isOutcomeKnown: false };
    expect(faultOf(new HoldfastError('INTERNAL_ERROR', facts)).exit).toBe('unknown');
  }
});

test('as JSON it has a stable shape', () => {
  expect(JSON.parse(JSON.stringify(faultJson(usageFault('no', 'do'))))).toEqual({
    error: { code: 'USAGE', message: 'no', fix: 'do', exit: 'usage' },
  });
});
