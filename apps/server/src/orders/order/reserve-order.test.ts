import { expect, it } from 'vitest';
import { getBalance } from '../../accounts/books/get-balance.ts';
import {
  auditedBy,
  buyerWith,
  eventsOf,
  oneCall,
  orderIn,
  snapshotDatabase,
} from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { reserveOrder } from './reserve-order.ts';

const world = useWorld();

it("sets the buyer's money aside, under the order's own name", async () => {
  const market = await world.market();
  const { id, buyerId } = await orderIn(world, market, 'ORDER_CREATED', {
    amount: '40.00',
    funds: '100.00',
  });
  const call = oneCall(market);
  expect((await reserveOrder(world.app, call, id)).status).toBe('FUNDS_RESERVED');
  expect(await getBalance(world.app, market.call, buyerId)).toMatchObject({
    available: 6000n,
    reserved: 4000n,
  });
  expect(
    await world.rows('select owner, amount, remaining from reservation where subject_id = $1', [
      id,
    ]),
  ).toEqual([{ owner: 'order', amount: '4000', remaining: '4000' }]);
  const money = { amount: '40.00', currency: 'USD' };
  expect(await eventsOf(world, call)).toEqual([
    {
      type: 'balance.reserved',
      payload: {
        userId: buyerId,
        ...money,
        orderId: id,
        previousReservedBalance: '0.00',
        newReservedBalance: '40.00',
        previousAvailableBalance: '100.00',
        newAvailableBalance: '60.00',
      },
    },
    {
      type: 'order.funds_reserved',
      payload: {
        orderId: id,
        buyerId,
        ...money,
        reservedBalance: '40.00',
        availableBalance: '60.00',
      },
    },
  ]);
  expect(await auditedBy(world, call)).toEqual([
    {
      action: 'ORDER_FUNDS_RESERVED',
      resource: id,
      before: { status: 'ORDER_CREATED' },
      after: { status: 'FUNDS_RESERVED', ...money },
      reason: null,
      result: 'SUCCESS',
    },
  ]);
});

it('is refused when too little is available, and changes nothing', async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'ORDER_CREATED', { amount: '40.00', funds: '39.99' });
  const before = await snapshotDatabase(world);
  await expect(reserveOrder(world.app, market.call, id)).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
    details: { requested: '40.00', available: '39.99', currency: 'USD' },
  });
  expect(await snapshotDatabase(world)).toEqual(before);
});

it('reserves money of its own currency only', async () => {
  const market = await world.market();
  const buyerId = await buyerWith(world, market, '100.00', 'USDC');
  const { id } = await orderIn(world, market, 'ORDER_CREATED', { buyerId });
  await expect(reserveOrder(world.app, market.call, id)).rejects.toSatisfy(
    isRefusal('INSUFFICIENT_FUNDS'),
  );
});

it('reserves once for ten requests at once', async () => {
  const market = await world.market();
  const { id, buyerId } = await orderIn(world, market, 'ORDER_CREATED', { funds: '1000.00' });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => reserveOrder(world.app, market.call, id)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(9).fill('INVALID_STATE'));
  expect(await getBalance(world.app, market.call, buyerId)).toMatchObject({ reserved: 10_000n });
});

it('reserves seven of twenty orders at once when the money covers seven', async () => {
  const market = await world.market();
  const buyerId = await buyerWith(world, market, '75.00');
  const orders = await Promise.all(
    Array.from({ length: 20 }, () =>
      orderIn(world, market, 'ORDER_CREATED', { buyerId, amount: '10.00' }),
    ),
  );
  const outcomes = await Promise.allSettled(
    orders.map(({ id }) => reserveOrder(world.app, market.call, id)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(13).fill('INSUFFICIENT_FUNDS'));
  expect(await getBalance(world.app, market.call, buyerId)).toMatchObject({
    available: 500n,
    reserved: 7000n,
  });
});

// A transaction that waits for a changed row must start over; fifty would exhaust their retries.
it('reserves fifty orders of one buyer at once', async () => {
  const market = await world.market();
  const buyerId = await buyerWith(world, market, '500.00');
  const sellerId = await market.user();
  const orders = [];
  for (let count = 0; count < 50; count += 1)
    orders.push(
      await orderIn(world, market, 'ORDER_CREATED', { buyerId, sellerId, amount: '10.00' }),
    );
  await Promise.all(orders.map(({ id }) => reserveOrder(world.app, market.call, id)));
  expect(await getBalance(world.app, market.call, buyerId)).toMatchObject({
    available: 0n,
    reserved: 50_000n,
  });
});
