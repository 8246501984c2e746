import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localKeyWrapper } from '../providers/key-wrapper.ts';
import { withKey } from '../providers/wallet-seal.ts';
import { type OutsideWorld, openOutsideWorld } from '../testing/outside.ts';
import { listHouseWallets } from './house-wallet.ts';
import { rotateWalletKeys } from './rotate-wallet-keys.ts';

let world: OutsideWorld;
let owner: pg.Pool;
beforeAll(async () => {
  world = await openOutsideWorld();
  owner = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

it('re-wraps every key once, and every wallet still opens, with the new key alone', async () => {
  const market = await world.market();
  for (let users = 0; users < 3; users += 1) await market.user();
  await world.runWorker();
  const [oldKey, newKey] = [7, 9].map((fill) => Buffer.alloc(32, fill).toString('base64'));
  const both = localKeyWrapper(`v2:${newKey},v1:${oldKey}`);
  expect(await rotateWalletKeys(owner, both)).toBe(13);
  expect(await rotateWalletKeys(owner, both)).toBe(0);
  const onlyNew = localKeyWrapper(`v2:${newKey}`);
  for (const wallet of await listHouseWallets(world.app.pool)) {
    expect(wallet.wrappedKey.version).toBe('v2');
    await expect(withKey(onlyNew, wallet, () => 'opened')).resolves.toBe('opened');
  }
  const [rows] = await world.rows(`select count(*)::int as n from wallet where key_version = 'v2'`);
  expect(rows).toEqual({ n: 3 });
});

// Row-level security binds owners too: such a role would see no wallet and report success.
it('refuses a role that row-level security binds', async () => {
  await expect(
    rotateWalletKeys(
      world.app.pool,
      localKeyWrapper(`v1:${Buffer.alloc(32, 7).toString('base64')}`),
    ),
  ).rejects.toThrow(/does not bind/);
});
