import { afterEach, beforeEach, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { type Market, openWorld, type World } from '../../testing/world.ts';
import { getAccount } from './get-account.ts';

let world: World;
let market: Market;
beforeEach(async () => {
  world = await openWorld();
  market = await world.market();
});
afterEach(() => world.close());

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

it('returns the balance of an account, now and at a time', async () => {
  const userId = await market.user();
  const post = (what: string, amount: string) =>
    market.send('POST', `/users/${userId}/balance/${what}`, { body: { amount } });
  await post('credit', '100.00');
  await pause();
  const between = new Date(world.app.clock.now()).toISOString();
  await pause();
  await post('reserve', '30.00');
  await post('debit', '20.00');
  const at = (path: string) => market.send('GET', `/ledger/accounts/${path}`);
  const name = `user.${userId}.USD`;
  const figures = { available: '50.00', reserved: '30.00', total: '80.00' };
  expect((await at(name)).json.data.data).toMatchObject({ id: name, ownerId: userId, ...figures });
  expect((await at(`${name}?at=${between}`)).json.data.data).toMatchObject({
    available: '100.00',
    reserved: '0.00',
    at: between,
  });
  // The other side is the marketplace's own: it may be negative, and has no running balance.
  expect((await at('adjustments.USD')).json.data.data).toMatchObject({
    ownerId: null,
    total: '-80.00',
  });
  expect((await at(`adjustments.USD?at=${between}`)).json.data.data.total).toBe('-100.00');
  expect((await at(`${name}?at=2026-01-01`)).json.data.data.total).toBe('0.00');
});

it('is not found from another marketplace, nor when it does not exist', async () => {
  const userId = await market.user();
  await market.send('POST', `/users/${userId}/balance/credit`, { body: { amount: '1.00' } });
  const otherMarket = await world.market();
  const isMissing = isRefusal('ACCOUNT_NOT_FOUND');
  await expect(getAccount(world.app, otherMarket.call, `user.${userId}.USD`, {})).rejects.toSatisfy(
    isMissing,
  );
  await expect(getAccount(world.app, market.call, 'suspense.XLM', {})).rejects.toSatisfy(isMissing);
});
