import { expect, it } from 'vitest';
import { buyerWith, orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { creditBalance } from './credit-balance.ts';
import { getBalance } from './get-balance.ts';
import { reserveBalance } from './reserve-balance.ts';

const world = useWorld();

it('moves available to reserved and creates a hold with an owner', async () => {
  const market = await world.market();
  const user = await market.user();
  await creditBalance(world.app, market.call, user, { amount: '10.00' });
  expect(
    await reserveBalance(world.app, market.call, user, { amount: '4.00', reason: 'a hold' }),
  ).toMatchObject({ available: 600n, reserved: 400n });
  const held = await world.rows(
    'select owner, subject_id, amount, remaining from reservation where marketplace_id = $1',
    [market.call.actor.marketplace],
  );
  expect(held).toEqual([{ owner: 'manual', subject_id: null, amount: '400', remaining: '400' }]);
});

it.each(['0', 'x', '1.005'])('refuses the amount %j as VALIDATION_ERROR', async (amount) => {
  const market = await world.market();
  await expect(
    reserveBalance(world.app, market.call, await market.user(), { amount }),
  ).rejects.toSatisfy(isRefusal('VALIDATION_ERROR'));
});

it("can be tagged with an order, and is not the order's own", async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'FUNDS_RESERVED');
  const user = await buyerWith(world, market, '10.00');
  await reserveBalance(world.app, market.call, user, { amount: '4.00', orderId: id });
  expect(
    await world.rows('select owner, remaining from reservation where subject_id = $1 order by id', [
      id,
    ]),
  ).toEqual([
    { owner: 'order', remaining: '10000' },
    { owner: 'manual', remaining: '400' },
  ]);
});

it('cannot name an order that does not exist, or is not of this marketplace', async () => {
  const [market, other] = [await world.market(), await world.market()];
  const { id } = await orderIn(world, other, 'ORDER_CREATED');
  const user = await buyerWith(world, market, '10.00');
  for (const orderId of [id, 'ord_1'])
    await expect(
      reserveBalance(world.app, market.call, user, { amount: '1.00', orderId }),
    ).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND', details: { orderId } });
  expect(await getBalance(world.app, market.call, user)).toMatchObject({ reserved: 0n });
});

it('reserves exactly the available amount when it comes two hundred times at once', async () => {
  const market = await world.market();
  const user = await market.user();
  await creditBalance(world.app, market.call, user, { amount: '100.00' });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      reserveBalance(world.app, market.call, user, { amount: '1.00' }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  expect(await getBalance(world.app, market.call, user)).toMatchObject({
    available: 0n,
    reserved: 10_000n,
  });
});
