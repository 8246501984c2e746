//! Which responses a caller treats as final, and how long it retries the others.
import { expect, it, onTestFinished } from 'vitest';
import {
  type ApiRequest,
  call,
  callAt,
  callWithRetry,
  dataOf,
  isUnsettled,
  pullLog,
  responseText,
} from './api.ts';
import { serve } from './serve.ts';

const RETRY_POLICY = { msMax: 5_000, pauseMs: () => 1 };

/** Returns these responses in order, as the service would; `cut` ends the connection. */
async function targetOf(
  ...responses: readonly (readonly [status: number, body: unknown] | 'cut')[]
) {
  const left = [...responses];
  const { url, close } = await serve((_, __, response) => {
    const next = left.shift() ?? 'cut';
    if (next === 'cut') response.destroy();
    else response.writeHead(next[0]).end(JSON.stringify(next[1]));
  });
  onTestFinished(close);
  const target = { api: url, apiKey: 'key' };
  return { url, call: (request: ApiRequest) => call(target, request), left };
}

it('reads the envelopes of both surfaces, and refusals', async () => {
  const details = { operationId: 'op_1', reason: 'BUSY' };
  const target = await targetOf(
    [200, { data: { data: { id: 'usr_1' } } }],
    [200, { data: { token: 't' } }],
    [504, { data: null, error: { code: 'PROVIDER_TIMEOUT', details } }],
  );
  expect(dataOf('/users', await target.call({ path: '/users', body: {} }))).toEqual({
    id: 'usr_1',
  });
  expect((await callAt(`${target.url}/auth/login`, '', { body: {} })).data).toEqual({ token: 't' });
  const refused = await target.call({ path: '/orders' });
  expect(refused).toMatchObject({ status: 504, code: 'PROVIDER_TIMEOUT', ...details });
  expect(() => dataOf('/orders', refused)).toThrow('/orders returned 504 PROVIDER_TIMEOUT');
});

it('distinguishes a lost response from a request that was never sent', async () => {
  const target = await targetOf('cut');
  expect(await target.call({ path: '/users' })).toMatchObject({
    status: undefined,
    isNeverSent: false,
    cause: 'ECONNRESET',
  });
  const unreachable = await call({ api: 'http://127.0.0.1:1', apiKey: '' }, { path: '/users' });
  expect(responseText(unreachable)).toBe('no response (ECONNREFUSED)');
  expect(unreachable).toMatchObject({
    status: undefined,
    isNeverSent: true,
    cause: 'ECONNREFUSED',
  });
});

it('retries until the outcome is known, and no longer', async () => {
  const target = await targetOf('cut', [503, {}], [409, {}], [500, {}], [201, {}]);
  const tried = () => target.call({ path: '/users', body: {} });
  expect(await callWithRetry('/users', RETRY_POLICY, tried)).toMatchObject({ status: 409 });
  const retryPolicy = { ...RETRY_POLICY, isTransient: isUnsettled };
  expect(await callWithRetry('/users', retryPolicy, tried)).toMatchObject({ status: 201 });
  await expect(callWithRetry('/users', { ...RETRY_POLICY, msMax: 20 }, tried)).rejects.toThrow(
    'too long',
  );
});

it('pulls a log to its last page', async () => {
  const event = (eventId: string) => ({ eventId, occurredAt: '' });
  const target = await targetOf(
    [200, { data: { data: [event('a'), event('b')], hasMore: true, nextCursor: 'b' } }],
    [200, { data: { data: [event('c')], hasMore: false, nextCursor: 'c' } }],
  );
  const pulled = await pullLog((path) => target.call({ path }));
  expect(pulled.map(({ eventId }) => eventId)).toEqual(['a', 'b', 'c']);
});
