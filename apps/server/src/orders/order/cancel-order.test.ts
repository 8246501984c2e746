import { expect, it } from 'vitest';
import { getBalance } from '../../accounts/books/get-balance.ts';
import { reserveBalance } from '../../accounts/books/reserve-balance.ts';
import { auditedBy, eventsOf, oneCall, orderIn, snapshotDatabase } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { cancelOrder } from './cancel-order.ts';

const world = useWorld();

it('closes an order without a reservation', async () => {
  const market = await world.market();
  const { id, buyerId } = await orderIn(world, market, 'ORDER_CREATED');
  const call = oneCall(market);
  expect(await cancelOrder(world.app, call, id)).toMatchObject({
    status: 'CLOSED',
    closeReason: 'CANCELED',
  });
  const at = expect.stringMatching(/Z$/);
  expect(await eventsOf(world, call)).toEqual([
    {
      type: 'order.canceled',
      payload: {
        orderId: id,
        buyerId,
        canceledBy: market.keyId,
        canceledAt: at,
        fundsReleased: false,
      },
    },
    { type: 'order.closed', payload: { orderId: id, finalStatus: 'CANCELED', closedAt: at } },
  ]);
});

it('releases the reservation, and only that', async () => {
  const market = await world.market();
  const { id, buyerId } = await orderIn(world, market, 'FUNDS_RESERVED', {
    amount: '40.00',
    funds: '100.00',
  });
  await reserveBalance(world.app, market.call, buyerId, { amount: '5.00', orderId: id });
  const call = oneCall(market);
  await cancelOrder(world.app, call, id, { reason: 'changed mind' });
  expect(await getBalance(world.app, market.call, buyerId)).toMatchObject({
    available: 9500n,
    reserved: 500n,
  });
  const events = await eventsOf(world, call);
  expect(events.map(({ type }) => type)).toEqual([
    'balance.released',
    'order.canceled',
    'order.closed',
  ]);
  expect(events[0]?.payload).toEqual({
    userId: buyerId,
    amount: '40.00',
    currency: 'USD',
    orderId: id,
    reason: 'changed mind',
    previousReservedBalance: '45.00',
    newReservedBalance: '5.00',
    previousAvailableBalance: '55.00',
    newAvailableBalance: '95.00',
  });
  expect(events[1]?.payload).toMatchObject({ reason: 'changed mind', fundsReleased: true });
  expect(await auditedBy(world, call)).toEqual([
    {
      action: 'ORDER_CANCELED',
      resource: id,
      before: { status: 'FUNDS_RESERVED' },
      after: { status: 'CLOSED', closeReason: 'CANCELED', fundsReleased: true },
      reason: 'changed mind',
      result: 'SUCCESS',
    },
  ]);
});

it('records a default reason when the caller gave none', async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'FUNDS_RESERVED');
  const call = oneCall(market);
  await cancelOrder(world.app, call, id);
  expect((await eventsOf(world, call))[0]?.payload).toMatchObject({ reason: 'order_canceled' });
});

it.each(['ESCROW_CREATING', 'ESCROW_FUNDING', 'IN_PROGRESS', 'DISPUTED', 'CLOSED'] as const)(
  'is refused in %s, and changes nothing',
  async (state) => {
    const market = await world.market();
    const { id } = await orderIn(world, market, state);
    const before = await snapshotDatabase(world);
    await expect(cancelOrder(world.app, market.call, id)).rejects.toMatchObject({
      code: 'INVALID_STATE',
      details: { resource: 'order', id, state, allowed: ['ORDER_CREATED', 'FUNDS_RESERVED'] },
    });
    expect(await snapshotDatabase(world)).toEqual(before);
  },
);

it('releases the money once, for ten requests at once', async () => {
  const market = await world.market();
  const { id, buyerId } = await orderIn(world, market, 'FUNDS_RESERVED', { funds: '130.00' });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => cancelOrder(world.app, market.call, id)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(9).fill('INVALID_STATE'));
  expect(await getBalance(world.app, market.call, buyerId)).toMatchObject({
    available: 13_000n,
    reserved: 0n,
  });
});
