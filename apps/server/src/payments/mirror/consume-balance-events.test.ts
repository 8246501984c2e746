import type { UserId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { reserveBalance } from '../../accounts/books/reserve-balance.ts';
import { useOpenedEach, useWorld } from '../../testing/use-world.ts';
import { consumeBalanceEvents } from './consume-balance-events.ts';

const world = useWorld();
const market = useOpenedEach(() => world.market());

const consume = async () => {
  await world.sequence();
  return consumeBalanceEvents(world.worker);
};

/** Returns the users who are due, and clears them. */
const due = async (): Promise<UserId[]> => {
  const rows = await world.rows<{ user_id: UserId }>(
    `with gone as (delete from mirror_queue d using marketplace m
       where m.id = d.marketplace_id and m.public_id = $1 returning d.id, d.user_id)
     select user_id from gone order by id`,
    [market.id],
  );
  return rows.map(({ user_id: userId }) => userId);
};

const credit = (userId: UserId, amount = '10.00') =>
  creditBalance(world.app, market.call, userId, { amount });

it('marks users due whose sum has changed, once for all new events', async () => {
  const [ann, ben] = [await market.user(), await market.user()];
  await credit(ann);
  await credit(ann);
  await credit(ben);
  await reserveBalance(world.app, market.call, ben, { amount: '1.00' });
  await consume();
  expect((await due()).toSorted()).toEqual([ann, ben].toSorted());
  await reserveBalance(world.app, market.call, ben, { amount: '1.00' });
  await consume();
  expect(await due()).toEqual([]);
  await debitBalance(world.app, market.call, ann, { amount: '1.00' });
  await consume();
  expect(await due()).toEqual([ann]);
  expect(await consume()).toBe(0);
});

it('is done once by two workers at the same time', async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => market.user()));
  await Promise.all(users.map((userId) => credit(userId)));
  await world.sequence();
  await Promise.all(Array.from({ length: 4 }, () => consumeBalanceEvents(world.worker)));
  await consumeBalanceEvents(world.worker);
  expect((await due()).toSorted()).toEqual(users.toSorted());
});

it('checks all users who differ where the log no longer has the events in between', async () => {
  const [ann, ben, cid] = [await market.user(), await market.user(), await market.user()];
  await credit(ann);
  await credit(ben);
  await consume();
  await due();
  await world.rows(
    `insert into wallet_mirror (marketplace_id, user_id, asset, stroops, updated_at)
     select marketplace_id, id, 'USDC', 100000000, now() from users where id = $1`,
    [ben],
  );
  await credit(cid, '1.00');
  await world.sequence();
  await world.rows(
    `delete from event where position <= 9 and marketplace_id =
       (select id from marketplace where public_id = $1)`,
    [market.id],
  );
  await world.rows(
    `update mirror_cursor set position = 0, occurred_at = 'epoch' where marketplace_id =
       (select id from marketplace where public_id = $1)`,
    [market.id],
  );
  await credit(cid, '1.00');
  await consume();
  expect(new Set(await due())).toEqual(new Set([ann, cid]));
});
