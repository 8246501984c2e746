import { expect, it } from 'vitest';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { HOUSE_WALLETS } from './house-wallet.ts';
import { openHouseWallets } from './open-house-wallets.ts';

const world = useOpenedEach(openSandboxWorld);

it('creates every wallet of the house once, and lets all but channels hold USDC', async () => {
  expect(await openHouseWallets(world.custody)).toBe(0);
  const rows = await world.rows<{ kind: string; n: number; trusted: number }>(
    'select kind, count(*)::int as n, count(trusted_at)::int as trusted from house_wallet group by 1 order by 1',
  );
  expect(Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))).toEqual(HOUSE_WALLETS);
  expect(rows.map(({ kind, trusted }) => [kind, trusted > 0])).toEqual([
    ['channel', false],
    ['platform', true],
    ['resolver', true],
    ['treasury', true],
  ]);
});

it('creates each once when three run at once', async () => {
  await world.rows('delete from house_wallet');
  await Promise.all([
    openHouseWallets(world.custody),
    openHouseWallets(world.custody),
    openHouseWallets(world.custody),
  ]);
  expect(await world.rows('select count(*)::int as n from house_wallet')).toEqual([{ n: 10 }]);
});
