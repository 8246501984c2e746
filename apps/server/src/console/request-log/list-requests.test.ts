import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Market, openWorld, type World } from '../../testing/world.ts';
import { listRequests } from './list-requests.ts';

let world: World;
let market: Market;
beforeEach(async () => {
  world = await openWorld();
  market = await world.market();
});
afterEach(() => world.close());

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
  });
  expect(all[1]).toMatchObject({
    path: '/api/v1/users/usr_00000000000000000000000000',
    errorCode: 'USER_NOT_FOUND',
  });
});

it('finds by status, method, route, key, request and error, page by page', async () => {
  market = await world.market();
  const requestId = randomUUID();
  await market.send('GET', '/orders', { headers: { 'x-request-id': requestId } });
  await market.send('GET', '/users/usr_00000000000000000000000000');
  await market.send('POST', '/users', { body: {} });
  const routes = async (query: Parameters<typeof list>[0]) =>
    (await list(query)).map(({ route }) => route);
  expect(await routes({ status: '4xx' })).toEqual(['/users', '/users/{id}']);
  expect(await routes({ status: '404' })).toEqual(['/users/{id}']);
  expect(await routes({ status: '2xx' })).toEqual(['/orders']);
  expect(await routes({ method: 'POST' })).toEqual(['/users']);
  expect(await routes({ route: '/orders' })).toEqual(['/orders']);
  expect(await routes({ requestId })).toEqual(['/orders']);
  expect(await routes({ errorCode: 'USER_NOT_FOUND' })).toEqual(['/users/{id}']);
  expect(await routes({ actorId: market.keyId, status: '400' })).toEqual(['/users']);
  const first = await listRequests(world.app, market.call, { limit: '2' });
  expect(await routes({ cursor: first.nextCursor ?? '' })).toEqual(['/orders']);
});
