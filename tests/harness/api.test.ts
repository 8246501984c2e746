//! What a caller may conclude from an answer, and how long it asks again.
import { expect, it, onTestFinished } from 'vitest';
import { type Asked, ask, askAt, dataOf, insist, isUnsettled, pullLog } from './api.ts';
import { serve } from './serve.ts';

const PATIENCE = { msMax: 5_000, pauseMs: () => 1 };

/** Answers in turn, as the service would; `cut` ends the connection. */
async function doorOf(...answers: readonly (readonly [status: number, body: unknown] | 'cut')[]) {
  const left = [...answers];
  const { url, close } = await serve((_, __, response) => {
    const next = left.shift() ?? 'cut';
    if (next === 'cut') response.destroy();
    else response.writeHead(next[0]).end(JSON.stringify(next[1]));
  });
  onTestFinished(close);
  const door = { api: url, apiKey: 'key' };
  return { url, ask: (asked: Asked) => ask(door, asked), left };
}

it('reads the envelopes of both surfaces, and refusals', async () => {
  const details = { operationId: 'op_1', reason: 'BUSY' };
  const door = await doorOf(
    [200, { data: { data: { id: 'usr_1' } } }],
    [200, { data: { token: 't' } }],
    [504, { data: null, error: { code: 'PROVIDER_TIMEOUT', details } }],
  );
  expect(dataOf('/users', await door.ask({ path: '/users', body: {} }))).toEqual({ id: 'usr_1' });
  expect((await askAt(`${door.url}/auth/login`, '', { body: {} })).data).toEqual({ token: 't' });
  const refused = await door.ask({ path: '/orders' });
  expect(refused).toMatchObject({ status: 504, code: 'PROVIDER_TIMEOUT', ...details });
  expect(() => dataOf('/orders', refused)).toThrow('/orders was answered 504 PROVIDER_TIMEOUT');
});

it('tells an answer that was lost from a request that nobody got', async () => {
  const door = await doorOf('cut');
  expect(await door.ask({ path: '/users' })).toMatchObject({
    status: undefined,
    isNeverSent: false,
  });
  const nobody = await ask({ api: 'http://127.0.0.1:1', apiKey: '' }, { path: '/users' });
  expect(nobody).toMatchObject({ status: undefined, isNeverSent: true });
});

it('asks again until it knows, and no longer', async () => {
  const door = await doorOf('cut', [503, {}], [409, {}], [500, {}], [201, {}]);
  const tried = () => door.ask({ path: '/users', body: {} });
  expect(await insist('/users', PATIENCE, tried)).toMatchObject({ status: 409 });
  const patience = { ...PATIENCE, isPassing: isUnsettled };
  expect(await insist('/users', patience, tried)).toMatchObject({ status: 201 });
  await expect(insist('/users', { ...PATIENCE, msMax: 20 }, tried)).rejects.toThrow('too long');
});

it('pulls a log to its last page', async () => {
  const event = (eventId: string) => ({ eventId, occurredAt: '' });
  const door = await doorOf(
    [200, { data: { data: [event('a'), event('b')], hasMore: true, nextCursor: 'b' } }],
    [200, { data: { data: [event('c')], hasMore: false, nextCursor: 'c' } }],
  );
  const pulled = await pullLog((path) => door.ask({ path }));
  expect(pulled.map(({ eventId }) => eventId)).toEqual(['a', 'b', 'c']);
});
