import type { Endpoint } from '@holdfast/contract/endpoint';
import { surfaceA } from '@holdfast/contract/surface-a';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identify } from '../../app/wire.ts';
import { unknownIds } from '../../testing/right-requests.ts';
import { useMarket } from '../../testing/use-world.ts';
import { serveSurfaceA } from '../surface-a/routes.ts';
import { buildServer } from './server.ts';

const { world, market } = useMarket();
let open: FastifyInstance;
beforeAll(async () => {
  const compat = { HOLDFAST_COMPAT: 'observed', HOLDFAST_COMPAT_KEY: market.key } as const;
  const app = { ...world.app, config: { ...world.app.config, ...compat } };
  open = buildServer({ ...app, identify: (...sent) => identify(app, ...sent) });
  serveSurfaceA(open, app);
});
afterAll(async () => {
  await open.close();
});

async function statusOf(endpoint: Endpoint, headers = {}): Promise<number> {
  const { method, path } = endpoint;
  const ids = unknownIds(endpoint);
  const url = `/api/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'm1')}`;
  return (await open.inject({ method, url, headers })).statusCode;
}

/** The specification's orders, escrow and resolution routes. */
const OPENED: readonly (keyof typeof surfaceA)[] = [
  ...(['createOrder', 'listOrders', 'getOrder', 'reserveOrder', 'cancelOrder'] as const),
  ...(['createEscrow', 'fundEscrow', 'completeMilestone', 'releaseOrder', 'refundOrder'] as const),
  'openDispute',
];

describe('the mode that opens routes', () => {
  it.each(OPENED)('serves %s without a key, and refuses a wrong key', async (name) => {
    expect(await statusOf(surfaceA[name])).not.toBe(401);
    expect(await statusOf(surfaceA[name], { authorization: 'Bearer hf_wrong' })).toBe(401);
    expect(await statusOf(surfaceA[name], { cookie: '__Host-session=x' })).toBe(401);
  });

  it('lets an anonymous caller act only in the marketplace of the configured key', async () => {
    const order = { buyerId: await market.user(), sellerId: await market.user() };
    const payload = { ...order, amount: '5.00', currency: 'USD', title: 'A table' };
    const created = await open.inject({ method: 'POST', url: '/api/v1/orders', payload });
    expect(created.statusCode).toBe(201);
    const { id } = (created.json() as { data: { data: { id: string } } }).data.data;
    const other = await world.market();
    expect((await market.send('GET', `/orders/${id}`)).status).toBe(200);
    expect((await other.send('GET', `/orders/${id}`)).status).toBe(404);
  });

  it('still requires a key on every other route', async () => {
    const shut = Object.values(surfaceA as Readonly<Record<string, Endpoint>>).filter(
      ({ scope, isOrderRoute, path }) =>
        ['read', 'write', 'support', 'any', 'master'].includes(scope) &&
        (isOrderRoute !== true || path.startsWith('/disputes')),
    );
    expect(shut.length).toBeGreaterThan(40);
    for (const endpoint of shut)
      expect([endpoint.path, await statusOf(endpoint)]).toEqual([endpoint.path, 401]);
  });
});

it('opens no route without the mode, or without a key for it', async () => {
  expect((await world.send('GET', '/orders')).status).toBe(401);
});
