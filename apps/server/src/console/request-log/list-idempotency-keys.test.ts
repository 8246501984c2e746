import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import { listIdempotencyKeys } from './list-idempotency-keys.ts';

const world = useWorld();
const market = useOpened(() => world.market());

const inspect = async (key: string, from = market) => {
  await world.app.requests.flush();
  return (await listIdempotencyKeys(world.app, from.call, { key })).items;
};

it('returns where a key was used, its stored record and its number of uses', async () => {
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
      stored: { status: null, entryId: expect.stringMatching(/^\d+$/) },
    },
    {
      key,
      method: 'POST',
      path: '/api/v1/users',
      actorId: market.keyId,
      requests: 3,
      replays: 1,
      lastStatus: 409,
      stored: { status: 201, entryId: null, requestHash: expect.stringMatching(/-/) },
    },
  ]);
});

it('returns nothing for a key that was never used, or used by another caller', async () => {
  const key = randomUUID();
  const otherMarket = await world.market();
  const body = { externalUserId: randomUUID() };
  await otherMarket.send('POST', '/users', { body, headers: { 'idempotency-key': key } });
  expect(await inspect(key)).toEqual([]);
  expect(await inspect(key, otherMarket)).toHaveLength(1);
  expect(await inspect(randomUUID())).toEqual([]);
});
