import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { useOpened } from '../../testing/use-world.ts';
import { openPayoutWorld, withdrawalIn } from '../../testing/withdrawals.ts';
import { findWithdrawalByPayout } from './find-withdrawal-by-payout.ts';
import { getWithdrawal } from './read-withdrawals.ts';

const world = useOpened(openPayoutWorld);

const find = (id: string | null, code: string | null) =>
  findWithdrawalByPayout(world.app.pool, { id, code });

it('finds a withdrawal of any marketplace by either id, in either field', async () => {
  const market = await world.market();
  await withdrawalIn(world, await world.market(), 'WITHDRAWAL_PENDING');
  const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  const { providerPayoutId } = await getWithdrawal(world.app, market.call, id);
  const found = { marketplace: market.call.actor.marketplace, withdrawalId: id };
  expect(await find(providerPayoutId, id)).toEqual(found);
  expect(await find(providerPayoutId, null)).toEqual(found);
  expect(await find(id, null)).toEqual(found);
  expect(await find(null, id)).toEqual(found);
  expect(await find('another', id)).toEqual(found);
  expect(await find('unknown', newId('wd', Date.now()))).toBeUndefined();
  expect(await find(null, null)).toBeUndefined();
});
