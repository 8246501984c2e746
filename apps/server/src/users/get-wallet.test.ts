import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OutsideWorld, openOutsideWorld } from '../testing/outside.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openWorld } from '../testing/world.ts';
import { getDepositAddress } from './get-deposit-address.ts';
import { getWallet } from './get-wallet.ts';

let world: OutsideWorld;
beforeAll(async () => {
  world = await openOutsideWorld();
});
afterAll(() => world.close());

it('waits for a wallet that is being made, and tells what it holds', async () => {
  const market = await world.market();
  const user = await market.user();
  const asked = getWallet(world.app, market.call, user);
  await world.runWorker();
  const wallet = await asked;
  expect(wallet.address).toMatch(/^G[A-Z2-7]{55}$/);
  await world.sandbox.deposit(wallet.address, 'USDC', '12.3456789');
  expect((await getWallet(world.app, market.call, user)).assets).toContainEqual({
    code: 'USDC',
    stroops: 123_456_789n,
  });
});

it('shows its address on the user too', async () => {
  const market = await world.market();
  const user = await market.user();
  await world.runWorker();
  const { address } = await getWallet(world.app, market.call, user);
  expect((await market.send('GET', `/users/${user}`)).json.data.data.ledgerAddress).toBe(address);
  expect(await getDepositAddress(world.app, market.call, user)).toMatchObject({
    address,
    asset: 'USDC',
    currency: 'USD',
  });
});

it("does not know another marketplace's user", async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  await expect(getWallet(world.app, mine.call, await theirs.user())).rejects.toSatisfy(
    isRefusal('USER_NOT_FOUND'),
  );
});

it('says so where no network is configured', async () => {
  const bare = await openWorld();
  const market = await bare.market();
  await expect(getWallet(bare.app, market.call, await market.user())).rejects.toSatisfy(
    isRefusal('SERVICE_UNAVAILABLE'),
  );
  await bare.close();
});
