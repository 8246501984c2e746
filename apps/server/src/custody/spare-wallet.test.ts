import { newId, type WalletId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transact } from '../platform/transact.ts';
import { openWorld, type World } from '../testing/world.ts';
import { claimSpareWallet, takeSpareWallet } from './spare-wallet.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Ready ones; nobody opens their seals here. */
const stock = async (count: number): Promise<WalletId[]> => {
  const ids = Array.from({ length: count }, () => newId('wal'));
  await world.rows(
    `insert into spare_wallet (id, status, address, sealed_seed, wrapped_key, key_version, purpose, created_at)
     select id, 'READY', id, ''::bytea, ''::bytea, 'v1', 'op_1', now() from unnest($1::text[]) as id`,
    [ids],
  );
  return ids;
};

// A table of one page is scanned as a whole, which under serializable isolation reads every spare.
it('two that are taken at once do not collide, however small the stock', async () => {
  const ids = await stock(5);
  await world.rows('vacuum analyze spare_wallet');
  const { call } = await world.market();
  let tries = 0;
  const bothHaveTaken = Promise.withResolvers<void>();
  const taken = await Promise.all(
    ids.slice(0, 2).map((id) =>
      transact(world.app, call, async (tx) => {
        const spare = await takeSpareWallet(tx, id);
        tries += 1;
        if (tries === 2) bothHaveTaken.resolve();
        await bothHaveTaken.promise;
        return spare?.id;
      }),
    ),
  );
  expect(taken).toEqual(ids.slice(0, 2));
  expect(tries).toBe(2);
});

it('a hundred who claim at once get one each, until there is none', async () => {
  await world.rows('delete from spare_wallet');
  const ids = await stock(60);
  const claims = await Promise.all(Array.from({ length: 100 }, () => claimSpareWallet(world.app)));
  expect(claims.filter((id) => id !== undefined).toSorted()).toEqual(ids);
});
