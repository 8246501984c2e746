import { newId, type WalletId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { transact } from '../../platform/database/transact.ts';
import { useWorld } from '../../testing/use-world.ts';
import { claimPooledWallet, takePooledWallet } from './pooled-wallet.ts';

const world = useWorld();

/** Ready ones; this test never opens their seals. */
const stock = async (count: number): Promise<WalletId[]> => {
  const ids = Array.from({ length: count }, () => newId('wal', Date.now()));
  await world.rows(
    `insert into pooled_wallet (id, status, address, sealed_seed, wrapped_key, key_version, purpose, created_at)
     select id, 'READY', id, ''::bytea, ''::bytea, 'v1', 'op_1', now() from unnest($1::text[]) as id`,
    [ids],
  );
  return ids;
};

// A table of one page is scanned as a whole, which under serializable isolation reads every pooled
// wallet.
it('takes two at once without a collision, however small the stock', async () => {
  const ids = await stock(5);
  await world.rows('vacuum analyze pooled_wallet');
  const { call } = await world.market();
  let tries = 0;
  const bothHaveTaken = Promise.withResolvers<void>();
  const taken = await Promise.all(
    ids.slice(0, 2).map((id) =>
      transact(world.app, call, async (tx) => {
        const address = await takePooledWallet(tx, id, newId('usr', Date.now()));
        tries += 1;
        if (tries === 2) bothHaveTaken.resolve();
        await bothHaveTaken.promise;
        return address;
      }),
    ),
  );
  expect(taken).toEqual(ids.slice(0, 2));
  expect(tries).toBe(2);
});

it('gives one each to a hundred concurrent claims, until there is none', async () => {
  await world.rows('delete from pooled_wallet');
  const ids = await stock(60);
  const claims = await Promise.all(Array.from({ length: 100 }, () => claimPooledWallet(world.app)));
  expect(claims.filter((id) => id !== undefined).toSorted()).toEqual(ids);
});
