import { expect, it } from 'vitest';
import { scopeHashOf } from '../../platform/database/idempotency-scope.ts';
import { readIdempotencyKey, requestHashOf } from './idempotency-key.ts';

const KEY = 'b1e0a3c0-6f1c-41ee-8c99-0242ac120002';

it('takes a UUID v4 in either case, and nothing else', () => {
  expect(readIdempotencyKey(undefined)).toBeUndefined();
  expect(readIdempotencyKey(KEY)).toBe(KEY);
  expect(readIdempotencyKey(KEY.toUpperCase())).toBeDefined();
  for (const wrong of ['', 'abc', KEY.replace('41ee', '11ee'), `${KEY}0`, [KEY, KEY]]) {
    expect(() => readIdempotencyKey(wrong)).toThrow();
  }
});

it('is scoped to family, method and path, in upper or lower case', () => {
  const scope = scopeHashOf('key_1', 'POST', '/users', KEY);
  expect(scopeHashOf('key_1', 'POST', '/users', KEY.toUpperCase())).toBe(scope);
  expect(scopeHashOf('key_2', 'POST', '/users', KEY)).not.toBe(scope);
  expect(scopeHashOf('key_1', 'PUT', '/users', KEY)).not.toBe(scope);
  expect(scopeHashOf('key_1', 'POST', '/topups', KEY)).not.toBe(scope);
});

it('leaves secrets out of the hash', () => {
  const body = { email: 'a@example.test', password: 'one', totp: '111111' };
  const other = { ...body, password: 'two', totp: '222222' };
  expect(requestHashOf(other, {})).toBe(requestHashOf(body, {}));
});

it('hashes a body by its content, not by the order of its keys', () => {
  expect(requestHashOf({ a: 1, b: [{ c: 2, d: 3 }] }, {})).toBe(
    requestHashOf({ b: [{ d: 3, c: 2 }], a: 1 }, {}),
  );
  expect(requestHashOf({ a: 1 }, {})).not.toBe(requestHashOf({ a: '1' }, {}));
  expect(requestHashOf([1, 2], {})).not.toBe(requestHashOf([2, 1], {}));
});

it('hashes a query with the body, and without one the body alone', () => {
  const hash = requestHashOf({ a: 1 }, { currency: 'XLM', of: 'it' });
  expect(requestHashOf({ a: 1 }, { of: 'it', currency: 'XLM' })).toBe(hash);
  expect(requestHashOf({ a: 1 }, { currency: 'USD', of: 'it' })).not.toBe(hash);
  expect(requestHashOf({ a: 1 }, {})).not.toBe(hash);
  // Of `{"a":1}`: keys that were stored before are found again.
  expect(requestHashOf({ a: 1 }, {})).toBe('015abd7f-5cc5-7a2d-d94b-7590f04ad808');
  expect(requestHashOf({ a: 1 }, undefined)).toBe(requestHashOf({ a: 1 }, {}));
});
