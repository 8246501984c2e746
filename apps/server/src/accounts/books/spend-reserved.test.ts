import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { creditBalance } from './credit-balance.ts';
import { reserveBalance } from './reserve-balance.ts';
import { spendReserved } from './spend-reserved.ts';

const world = useWorld();

it('consumes reserved money for good, against the adjustment account', async () => {
  const market = await world.market();
  const user = await market.user();
  await creditBalance(world.app, market.call, user, { amount: '10.00' });
  await reserveBalance(world.app, market.call, user, { amount: '4.00' });
  expect(await spendReserved(world.app, market.call, user, { amount: '3.00' })).toMatchObject({
    available: 600n,
    reserved: 100n,
  });
  await expect(
    spendReserved(world.app, market.call, user, { amount: '1.01' }),
  ).rejects.toMatchObject({
    code: 'INVALID_RESERVED_DEDUCTION',
    details: { requested: '1.01', reserved: '1.00', currency: 'USD' },
  });
  expect(await world.rows('select sum(delta) as owed from house_delta')).toEqual([
    { owed: '-700' },
  ]);
});
