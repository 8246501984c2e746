import type { WalletId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type KeyWrapper, localKeyWrapper } from '../../providers/signing/key-wrapper.ts';
import type { SealedWallet } from '../../providers/signing/signer.ts';
import { withKey } from '../../providers/signing/wallet-seal.ts';
import { endPool } from '../../testing/database/end-pool.ts';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { listHouseWallets } from './house-wallet.ts';
import { rotateWalletKeys } from './rotate-wallet-keys.ts';

const world = useOpenedEach(() => openSandboxWorld({ HOLDFAST_SPARE_WALLETS: '4' }));
let owner: pg.Pool;
beforeEach(() => {
  owner = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
});
afterEach(() => endPool(owner));

it('re-wraps every key once, and every wallet still opens, with the new key alone', async () => {
  const market = await world.market();
  for (let users = 0; users < 3; users += 1) await market.user();
  await world.runWorker();
  // Three of users, ten of the house, four pooled ones.
  const [oldKey, newKey] = [7, 9].map((fill) => Buffer.alloc(32, fill).toString('base64'));
  const both = localKeyWrapper(`v2:${newKey},v1:${oldKey}`);
  expect(await rotateWalletKeys(owner, both)).toBe(17);
  expect(await rotateWalletKeys(owner, both)).toBe(0);
  const onlyNew = localKeyWrapper(`v2:${newKey}`);
  for (const wallet of await listHouseWallets(world.worker.pool)) {
    expect(wallet.wrappedKey.version).toBe('v2');
    await expect(withKey(onlyNew, wallet, () => 'opened')).resolves.toBe('opened');
  }
  const [rows] = await world.rows(`select count(*)::int as n from wallet where key_version = 'v2'`);
  expect(rows).toEqual({ n: 3 });

  // A pooled wallet keeps its new wrapping when it is taken.
  const taker = await market.user();
  const [wallet] = await world.rows<WalletRow>(
    'select id, address, sealed_seed, wrapped_key, key_version from wallet where user_id = $1',
    [taker],
  );
  await expect(withKey(onlyNew, sealedOf(wallet), () => 'opened')).resolves.toBe('opened');
});

it('finds a pooled wallet that a user takes while it runs', async () => {
  const market = await world.market();
  await world.runWorker();
  await world.rows('delete from wallet');
  await world.rows(`delete from pooled_wallet where id <> (select min(id) from pooled_wallet)`);
  await world.rows(`delete from house_wallet`);
  const [oldKey, newKey] = [7, 11].map((fill) => Buffer.alloc(32, fill).toString('base64'));
  const both = localKeyWrapper(`v3:${newKey},v1:${oldKey}`);
  let taken = 0;
  const slow: KeyWrapper = {
    ...both,
    unwrap: async (wrapped, context) => {
      if (taken === 0) await market.user();
      taken += 1;
      return both.unwrap(wrapped, context);
    },
  };
  expect(await rotateWalletKeys(owner, slow)).toBe(1);
  expect(taken).toBe(2);
  expect(await world.rows('select key_version from wallet')).toEqual([{ key_version: 'v3' }]);
  expect(await world.rows('select from pooled_wallet')).toEqual([]);
});

interface WalletRow {
  id: WalletId;
  address: string;
  sealed_seed: Buffer;
  wrapped_key: Buffer;
  key_version: string;
}

function sealedOf(row: WalletRow | undefined): SealedWallet {
  if (row === undefined) throw new Error('the user has no wallet');
  const { id, address, sealed_seed: sealedSeed, wrapped_key: bytes, key_version: version } = row;
  return { id, address, sealedSeed, wrappedKey: { version, bytes } };
}

// Row-level security binds owners too: such a role would see no wallet and report success.
it('refuses a role that row-level security binds', async () => {
  await expect(
    rotateWalletKeys(
      world.app.pool,
      localKeyWrapper(`v1:${Buffer.alloc(32, 7).toString('base64')}`),
    ),
  ).rejects.toThrow(/does not bind/);
});
