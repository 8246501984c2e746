import { expect, it } from 'vitest';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { pausePayouts, resumePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { sql } from '../../platform/database/sql.ts';
import { transact } from '../../platform/database/transact.ts';
import { escrowOrderIn, openEscrowWorld } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { aNotification } from '../../testing/scenarios/console-scenarios.ts';
import { useOpened } from '../../testing/use-world.ts';
import { heldByDay } from './home-figures.ts';
import { findCountedSince } from './home-rows.ts';

const world = useOpened(openEscrowWorld);

it('returns items that need attention, amounts held and outcomes of orders', async () => {
  const market = await world.market();
  const home = async () => {
    world.app.home.invalidate();
    return (await market.send('GET', '/insights/home?days=7')).json.data.data;
  };
  expect(await home()).toMatchObject({
    attention: [],
    held: [],
    volume: [],
    funnel: { created: 0, funded: 0, released: 0, refunded: 0, disputed: 0 },
    openOrders: [],
  });
  const { disputeId } = await escrowOrderIn(world, market, 'DISPUTED');
  const { id } = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '200.00' });
  await releaseOrder(world.app, market.call, id, {});
  await escrowOrderIn(world, market, 'FUNDS_RESERVED', { amount: '40.00' });
  const notificationId = await aNotification({ world, market });
  const { attention, held, volume, funnel, openOrders, providers, providersSince, solvency } =
    await home();
  expect(attention).toMatchObject([
    {
      kind: 'NOTIFICATION_PARKED',
      count: 1,
      items: [{ type: 'ProviderNotification', id: notificationId }],
    },
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
  expect(providersSince).toBeNull();
  expect(solvency).toMatchObject({ payoutsPaused: false });
});

it('lists operations with an unknown outcome first', async () => {
  const market = await world.market();
  const { id } = await escrowOrderIn(world, market, 'IN_PROGRESS');
  await world.sandbox.arm('escrow', 'release', 'drop-after');
  await releaseOrder(world.app, market.call, id, {}).catch(() => undefined);
  await world.rows(`update operation set created_at = now() - interval '5 minutes'
    where resource_id = '${id}'`);
  world.app.home.invalidate();
  const { json } = await market.send('GET', '/insights/home');
  expect(json.data.data.attention).toMatchObject([{ kind: 'OPERATION_UNKNOWN', count: 1 }]);
});

it('lists approvals until they are decided or expire, and a pause', async () => {
  const market = await world.market();
  const finance = await desk(world, { marketplaceId: market.id, role: 'finance' });
  const second = await desk(world, { marketplaceId: market.id, role: 'finance' });
  const requestCredit = async (amount: string) => {
    const path = `/users/${await market.user()}/balance/credit`;
    return (await finance.send('POST', path, { body: { amount } })).json.data.data.id as string;
  };
  const attention = async () => {
    world.app.home.invalidate();
    return (await market.send('GET', '/insights/home')).json.data.data.attention;
  };
  const [agreed, late, waiting] = [
    await requestCredit('1.00'),
    await requestCredit('2.00'),
    await requestCredit('3.00'),
  ];
  expect(await attention()).toMatchObject([
    { kind: 'APPROVAL_PENDING', severity: 'warning', count: 3, items: [{ id: agreed }, {}, {}] },
  ]);
  await second.send('POST', `/approvals/${agreed}/approve`);
  await world.rows(`update approval set expires_at = now() - interval '1 minute'
    where id = '${late}'`);
  await transact(world.app, market.call, (tx) => pausePayouts(tx, 'by hand'));
  expect(await attention()).toMatchObject([
    { kind: 'PAYOUTS_PAUSED', items: [{ type: 'Payouts', title: 'by hand' }] },
    { count: 1, items: [{ type: 'Approval', id: waiting, title: 'creditBalance' }] },
  ]);
  await transact(world.app, market.call, (tx) => resumePayouts(tx, 'over', 'master'));
});

it('returns the start of the counted time when there are too many operations', async () => {
  const market = await world.market();
  await escrowOrderIn(world, market, 'IN_PROGRESS');
  const started = await transact(world.app, market.call, (tx) =>
    tx.query<{ created_at: number }>(sql`select created_at from operation order by id desc`),
  );
  const since = (most: number) =>
    transact(world.app, market.call, (tx) => findCountedSince(tx, most));
  expect(await since(2)).toEqual(started[1]?.created_at);
  expect(await since(started.length + 1)).toBeNull();
});

it('carries the amounts held from day to day', () => {
  const since = Date.UTC(2026, 2, 1);
  const change = { currency: 'USD', reserved: 5n, escrow: -3n } as const;
  const before = [{ currency: 'USD', reserved: 1n, escrow: 10n }] as const;
  expect(heldByDay(before, [{ day: '2026-03-02', ...change }], since, 3)).toEqual([
    { day: '2026-03-01', currency: 'USD', reserved: 1n, escrow: 10n },
    { day: '2026-03-02', currency: 'USD', reserved: 6n, escrow: 7n },
    { day: '2026-03-03', currency: 'USD', reserved: 6n, escrow: 7n },
  ]);
});
