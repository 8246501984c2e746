import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { compactHouseAccounts } from './compact-house-accounts.ts';
import { creditBalance } from './credit-balance.ts';

const world = useWorld();

it('compacts house accounts without changing a balance', async () => {
  const market = await world.market();
  const user = await market.user();
  for (let times = 0; times < 60; times += 1)
    await creditBalance(world.app, market.call, user, { amount: '1.00' });
  const sum = () =>
    world.rows('select marketplace_id, sum(delta) from house_delta group by 1 order by 1');
  const before = await sum();
  expect(await compactHouseAccounts(world.worker)).toBeGreaterThanOrEqual(60);
  expect(await sum()).toEqual(before);
});
