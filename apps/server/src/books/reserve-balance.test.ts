import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRefusal } from '../testing/refusal.ts';
import { openWorld, type World } from '../testing/world.ts';
import { creditBalance } from './credit-balance.ts';
import { getBalance } from './get-balance.ts';
import { reserveBalance } from './reserve-balance.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('moves available to reserved and makes a hold with an owner', async () => {
  const market = await world.market();
  const user = await market.user();
  await creditBalance(world.app, market.call, user, { amount: '10.00' });
  expect(
    await reserveBalance(world.app, market.call, user, { amount: '4.00', reason: 'a hold' }),
  ).toMatchObject({ available: 600n, reserved: 400n });
  expect(await world.rows('select owner, subject_id, amount, remaining from reservation')).toEqual([
    { owner: 'manual', subject_id: null, amount: '400', remaining: '400' },
  ]);
});

it.each(['0', 'x', '1.005'])('refuses the amount %j as VALIDATION_ERROR', async (amount) => {
  const market = await world.market();
  await expect(
    reserveBalance(world.app, market.call, await market.user(), { amount }),
  ).rejects.toSatisfy(isRefusal('VALIDATION_ERROR'));
});

it('cannot name an order that is not there', async () => {
  const market = await world.market();
  await expect(
    reserveBalance(world.app, market.call, await market.user(), {
      amount: '1.00',
      orderId: 'ord_1',
    }),
  ).rejects.toSatisfy(isRefusal('ORDER_NOT_FOUND'));
});

it('two hundred times at once sets aside exactly what is there', async () => {
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
