import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useOpenedEach, useWorld } from '../../testing/use-world.ts';
import { listIdempotencyKeys, listRequests } from './read-requests.ts';

const world = useWorld();
const market = useOpenedEach(() => world.market());

const list = async (query: Parameters<typeof listRequests>[2]) => {
  await world.app.requests.flush();
  return (await listRequests(world.app, market.call, query)).items;
};

it('lists every request of the marketplace with its response and the reason', async () => {
  const requestId = randomUUID();
  const headers = { 'idempotency-key': randomUUID(), 'x-request-id': requestId };
  const body = { externalUserId: randomUUID() };
  await market.send('POST', '/users', { body, headers });
  await market.send('POST', '/users', {
    body,
    headers: { ...headers, 'x-request-id': randomUUID() },
  });
  await market.send('GET', '/users/usr_00000000000000000000000000?nothing=personal');
  await market.send('GET', '/orders');
  const otherMarket = await world.market();
  await otherMarket.send('GET', '/disputes');
  await world.send('GET', '/disputes', { key: 'hf_wrong' });
  const all = await list({});
  expect(all.map(({ route, status, isReplay }) => [route, status, isReplay])).toEqual([
    ['/orders', 200, false],
    ['/users/{id}', 404, false],
    ['/users', 201, true],
    ['/users', 201, false],
  ]);
  expect(all[3]).toMatchObject({
    method: 'POST',
    path: '/api/v1/users',
    actorId: market.keyId,
    requestId,
    idempotencyKey: headers['idempotency-key'],
    errorCode: null,
    address: '127.0.0.1',
    userAgent: 'lightMyRequest',
  });
  expect(all[1]).toMatchObject({
    path: '/api/v1/users/usr_00000000000000000000000000',
    errorCode: 'USER_NOT_FOUND',
  });
});

it('finds requests by status, method, route, key, request and error, page by page', async () => {
  const requestId = randomUUID();
  await market.send('GET', '/orders', { headers: { 'x-request-id': requestId } });
  await market.send('GET', '/users/usr_00000000000000000000000000');
  await market.send('POST', '/users', { body: {} });
  const expectRoutes = async (query: Parameters<typeof list>[0], found: readonly string[]) =>
    expect(
      (await list(query)).map(({ route }) => route),
      JSON.stringify(query),
    ).toEqual(found);
  for (const [query, found] of [
    [{ status: '4xx' }, ['/users', '/users/{id}']],
    [{ status: '404' }, ['/users/{id}']],
    [{ status: '2xx' }, ['/orders']],
    [{ method: 'POST' }, ['/users']],
    [{ route: '/orders' }, ['/orders']],
    [{ requestId }, ['/orders']],
    [{ errorCode: 'USER_NOT_FOUND' }, ['/users/{id}']],
    [{ actorId: market.keyId, status: '400' }, ['/users']],
  ] as const)
    await expectRoutes(query, found);
  const first = await listRequests(world.app, market.call, { limit: '2' });
  await expectRoutes({ cursor: first.nextCursor ?? '' }, ['/orders']);
});

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
