import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import { createUser } from './create-user.ts';
import { getDepositAddress, getWallet } from './read-wallets.ts';

const world = useOpened(openSandboxWorld);
const bare = useWorld();

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

it('returns an error where no network is configured', async () => {
  const market = await bare.market();
  await expect(getWallet(bare.app, market.call, await market.user())).rejects.toSatisfy(
    isRefusal('SERVICE_UNAVAILABLE'),
  );
});

it("credits USDC to the user's own choice, and XLM to XLM", async () => {
  const market = await world.market();
  const { user } = await createUser(world.app, market.call, {
    externalUserId: randomUUID(),
    depositCurrency: 'USDC',
  });
  await world.runWorker();
  for (const asset of ['USDC', 'XLM'] as const) {
    const address = await getDepositAddress(world.app, market.call, user.id, asset);
    expect(address).toMatchObject({ asset, currency: asset });
  }
  expect(await getDepositAddress(world.app, market.call, user.id)).toMatchObject({ asset: 'USDC' });
});

it('lists incoming transactions, newest first', async () => {
  const market = await world.market();
  const user = await market.user();
  await world.runWorker();
  const { address } = await getWallet(world.app, market.call, user);
  for (const amount of ['1', '2', '3', '4']) await world.sandbox.deposit(address, 'USDC', amount);
  const { json } = await market.send('GET', `/users/${user}/wallet/transactions?limit=4`);
  expect(
    json.data.data.map(
      (line: { amount: string; direction: string }) => `${line.direction} ${line.amount}`,
    ),
  ).toEqual(['IN 4.0000000', 'IN 3.0000000', 'IN 2.0000000', 'IN 1.0000000']);
});
