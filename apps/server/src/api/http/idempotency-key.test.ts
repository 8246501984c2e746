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
  expect(requestHashOf({ ...body, password: 'two', totp: '222222' })).toBe(requestHashOf(body));
});

it('hashes a body by its content, not by the order of its keys', () => {
  expect(requestHashOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(
    requestHashOf({ b: [{ d: 3, c: 2 }], a: 1 }),
  );
  expect(requestHashOf({ a: 1 })).not.toBe(requestHashOf({ a: '1' }));
  expect(requestHashOf([1, 2])).not.toBe(requestHashOf([2, 1]));
});
