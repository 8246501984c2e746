import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';
import { getDepositAddress } from './get-deposit-address.ts';
import { getWallet } from './get-wallet.ts';

const world = useOpened(openSandboxWorld);

it('waits for a wallet that is being created, and returns its balances', async () => {
  const market = await world.market();
  const user = await market.user();
  const reading = getWallet(world.app, market.call, user);
  await world.runWorker();
  const wallet = await reading;
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

it("returns 404 for another marketplace's user", async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  await expect(getWallet(world.app, mine.call, await theirs.user())).rejects.toSatisfy(
    isRefusal('USER_NOT_FOUND'),
  );
});

it('returns an error where no network is configured', async () => {
  const bare = await openWorld();
  const market = await bare.market();
  await expect(getWallet(bare.app, market.call, await market.user())).rejects.toSatisfy(
    isRefusal('SERVICE_UNAVAILABLE'),
  );
  await bare.close();
});
