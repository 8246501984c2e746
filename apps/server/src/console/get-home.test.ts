import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseOrder } from '../orders/release-order.ts';
import { aNotice } from '../testing/console-scenarios.ts';
import { dealIn, type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
import { heldByDay } from './get-home.ts';

let world: EscrowWorld;
beforeAll(async () => {
  world = await openEscrowWorld();
});
afterAll(() => world.close());

it('tells what needs a person, what is held and what came of orders', async () => {
  const market = await world.market();
  const home = async () => {
    world.app.home.forget();
    return (await market.send('GET', '/insights/home?days=7')).json.data.data;
  };
  expect(await home()).toMatchObject({
    attention: [],
    held: [],
    volume: [],
    funnel: { created: 0, funded: 0, released: 0, refunded: 0, disputed: 0 },
    openOrders: [],
  });
  const { disputeId } = await dealIn(world, market, 'DISPUTED');
  const { id } = await dealIn(world, market, 'IN_PROGRESS', { amount: '200.00' });
  await releaseOrder(world.app, market.call, id, {});
  await dealIn(world, market, 'FUNDS_RESERVED', { amount: '40.00' });
  const noticeId = await aNotice({ world, market });
  const { attention, held, volume, funnel, openOrders, providers, solvency } = await home();
  expect(attention).toMatchObject([
    { kind: 'NOTICE_PARKED', count: 1, items: [{ type: 'ProviderNotice', id: noticeId }] },
    { kind: 'DISPUTE_OPEN', count: 1, items: [{ type: 'Dispute', id: disputeId }] },
  ]);
  expect(held).toHaveLength(7);
  expect(held.at(-1)).toMatchObject({ currency: 'USD', reserved: '40.00', escrow: '100.00' });
  expect(held.at(0)).toMatchObject({ reserved: '0.00', escrow: '0.00' });
  expect(volume).toMatchObject([
    {
      currency: 'USD',
      created: { count: 4 },
      funded: { count: 2, amount: '300.00' },
      released: { count: 1, amount: '190.00' },
      fees: '10.00',
    },
  ]);
  expect(funnel).toEqual({ created: 4, funded: 2, released: 1, refunded: 0, disputed: 1 });
  expect(openOrders).toContainEqual({ status: 'DISPUTED', count: 1 });
  const escrow = providers.find(({ provider }: { provider: string }) => /escrow/.test(provider));
  expect(escrow.lastHour.done).toBeGreaterThan(3);
  expect(solvency).toMatchObject({ payoutsPaused: false });
});

it('puts operations on top whose outcome is not known', async () => {
  const market = await world.market();
  const { id } = await dealIn(world, market, 'IN_PROGRESS');
  await world.sandbox.arm('escrow', 'release', 'drop-after');
  await releaseOrder(world.app, market.call, id, {}).catch(() => undefined);
  await world.rows(`update operation set created_at = now() - interval '5 minutes'
    where resource_id = '${id}'`);
  world.app.home.forget();
  const { json } = await market.send('GET', '/insights/home');
  expect(json.data.data.attention).toMatchObject([{ kind: 'OPERATION_UNKNOWN', count: 1 }]);
});

it('carries what is held from day to day', () => {
  const since = Date.UTC(2026, 2, 1);
  const change = { currency: 'USD', reserved: 5n, escrow: -3n } as const;
  const before = [{ currency: 'USD', reserved: 1n, escrow: 10n }] as const;
  expect(heldByDay(before, [{ day: '2026-03-02', ...change }], since, 3)).toEqual([
    { day: '2026-03-01', currency: 'USD', reserved: 1n, escrow: 10n },
    { day: '2026-03-02', currency: 'USD', reserved: 6n, escrow: 7n },
    { day: '2026-03-03', currency: 'USD', reserved: 6n, escrow: 7n },
  ]);
});
