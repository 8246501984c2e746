import { expect, it } from 'vitest';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { getWallet } from './get-wallet.ts';

const world = useOpened(openSandboxWorld);

it('pages incoming transactions, newest first, without gap or repeat', async () => {
  const market = await world.market();
  const user = await market.user();
  await world.runWorker();
  const { address } = await getWallet(world.app, market.call, user);
  for (const amount of ['1', '2', '3', '4']) await world.sandbox.deposit(address, 'USDC', amount);
  const seen: string[] = [];
  for (let path = `/users/${user}/wallet/transactions?limit=2`; ; ) {
    const { data } = (await market.send('GET', path)).json;
    seen.push(
      ...data.data.map(
        (line: { amount: string; direction: string }) => `${line.direction} ${line.amount}`,
      ),
    );
    if (!data.hasMore) break;
    path = `/users/${user}/wallet/transactions?limit=2&cursor=${data.nextCursor}`;
  }
  expect(seen.slice(0, 4)).toEqual([
    'IN 4.0000000',
    'IN 3.0000000',
    'IN 2.0000000',
    'IN 1.0000000',
  ]);
});
