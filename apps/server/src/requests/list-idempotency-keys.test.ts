import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Market, openWorld, type World } from '../testing/world.ts';
import { listIdempotencyKeys } from './list-idempotency-keys.ts';

let world: World;
let market: Market;
beforeAll(async () => {
  world = await openWorld();
  market = await world.market();
});
afterAll(() => world.close());

const inspect = async (key: string, from = market) => {
  await world.app.requests.flush();
  return (await listIdempotencyKeys(world.app, from.call, { key })).items;
};

it('tells where a key was used, what is kept and how often it came', async () => {
  const key = randomUUID();
  const headers = { 'idempotency-key': key };
  const body = { externalUserId: randomUUID() };
  const userId = (await market.send('POST', '/users', { body, headers })).json.data.data.id;
  await market.send('POST', '/users', { body, headers });
  const wrong = await market.send('POST', '/users', { body: { externalUserId: 'other' }, headers });
  expect(wrong.json.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  const credit = `/users/${userId}/balance/credit`;
  await market.send('POST', credit, { body: { amount: '1.00' }, headers });
  expect(await inspect(key.toUpperCase())).toMatchObject([
    {
      key,
      path: `/api/v1${credit}`,
      requests: 1,
      replays: 0,
      kept: { status: null, entryId: expect.stringMatching(/^\d+$/) },
    },
    {
      key,
      method: 'POST',
      path: '/api/v1/users',
      actorId: market.keyId,
      requests: 3,
      replays: 1,
      lastStatus: 409,
      kept: { status: 201, entryId: null, requestHash: expect.stringMatching(/-/) },
    },
  ]);
});

it('knows nothing of a key that was never used, or by somebody else', async () => {
  const key = randomUUID();
  const stranger = await world.market();
  const body = { externalUserId: randomUUID() };
  await stranger.send('POST', '/users', { body, headers: { 'idempotency-key': key } });
  expect(await inspect(key)).toEqual([]);
  expect(await inspect(key, stranger)).toHaveLength(1);
  expect(await inspect(randomUUID())).toEqual([]);
});
