import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { marketplaceIn, preserveMarketplace, withMarketplace } from '#app/marketplace-word.ts';
import { parseSearch, stringifySearch } from '#app/url-state.ts';

const routerAt = async (address: string) => {
  const root = createRootRoute({ search: { middlewares: [preserveMarketplace as never] } });
  const orders = createRoute({ getParentRoute: () => root, path: '/orders' });
  const router = createRouter({
    routeTree: root.addChildren([orders]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch,
  });
  await router.load();
  return router;
};

it('is read from an address, and written into one', () => {
  expect(marketplaceIn('?id=aud_1&m=mkt_1')).toBe('mkt_1');
  expect(marketplaceIn('?id=aud_1')).toBeUndefined();
  expect(withMarketplace({ id: 'aud_1', m: 'mkt_1' }, 'mkt_2')).toEqual({
    id: 'aud_1',
    m: 'mkt_2',
  });
});

it('stays on the way from screen to screen, unless another one is named', async () => {
  const router = await routerAt('/?m=mkt_1&tab=log');
  const next = (search: object) => router.buildLocation({ to: '/orders', search } as never).href;
  expect(next({})).toBe('/orders?m=mkt_1');
  expect(next({ status: 'OPEN' })).toBe('/orders?m=mkt_1&status=OPEN');
  expect(next({ m: 'mkt_2' })).toBe('/orders?m=mkt_2');
});

it('is absent when it was never set', async () => {
  const router = await routerAt('/?tab=log');
  expect(router.buildLocation({ to: '/orders', search: {} } as never).href).toBe('/orders');
});
