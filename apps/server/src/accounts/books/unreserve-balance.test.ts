import { Money } from '@holdfast/kernel/money';
import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { creditBalance } from './credit-balance.ts';
import { post } from './post.ts';
import { reserveBalance } from './reserve-balance.ts';
import { spendReserved } from './spend-reserved.ts';
import { unreserveBalance } from './unreserve-balance.ts';

const world = useWorld();

const ORDER = 'ord_1k08xma8hx9nfnxfjw85ag4b3g4';

async function withHold(held: string, orderId?: string) {
  const market = await world.market();
  const user = await market.user();
  await creditBalance(world.app, market.call, user, { amount: '10.00' });
  await post(world.app, market.call, {
    kind: 'reserve',
    userId: user,
    amount: Money.read(held, 'USD') as Money,
    orderId,
  });
  return { market, user };
}

it('moves reserved back to available, oldest holds first', async () => {
  const { market, user } = await withHold('4.00');
  await reserveBalance(world.app, market.call, user, { amount: '2.00' });
  expect(await unreserveBalance(world.app, market.call, user, { amount: '5.00' })).toMatchObject({
    available: 900n,
    reserved: 100n,
  });
  expect(
    await world.rows(
      `select remaining from reservation r join account a on a.id = r.account_id
    where a.owner_id = $1 order by r.id`,
      [user],
    ),
  ).toEqual([{ remaining: '0' }, { remaining: '100' }]);
});

it('never returns more than the manual holds hold', async () => {
  const { market, user } = await withHold('4.00');
  await expect(
    unreserveBalance(world.app, market.call, user, { amount: '4.01' }),
  ).rejects.toMatchObject({
    code: 'RESERVATION_EXCEEDED',
    details: { requested: '4.01', reserved: '4.00' },
  });
});

it('leaves tagged holds alone when no order is named, and names the holders', async () => {
  const { market, user } = await withHold('4.00', ORDER);
  await expect(
    unreserveBalance(world.app, market.call, user, { amount: '1.00' }),
  ).rejects.toMatchObject({
    code: 'RESERVATION_EXCEEDED',
    details: { reason: expect.stringContaining(ORDER) },
  });
  expect(
    await unreserveBalance(world.app, market.call, user, { amount: '1.00', orderId: ORDER }),
  ).toMatchObject({ reserved: 300n });
});

it("cannot touch an order's own reservation, not even by its id", async () => {
  const { market, user } = await withHold('4.00', ORDER);
  await world.rows(`update reservation set owner = 'order' where subject_id = $1`, [ORDER]);
  for (const orderId of [undefined, ORDER]) {
    const input = { amount: '1.00', ...(orderId ? { orderId } : {}) };
    await expect(unreserveBalance(world.app, market.call, user, input)).rejects.toSatisfy(
      isRefusal('RESERVATION_EXCEEDED'),
    );
    await expect(spendReserved(world.app, market.call, user, input)).rejects.toSatisfy(
      isRefusal('INVALID_RESERVED_DEDUCTION'),
    );
  }
});

it('uses each hold once, in parallel with spending', async () => {
  const { market, user } = await withHold('10.00');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, at) =>
      (at % 2 ? unreserveBalance : spendReserved)(world.app, market.call, user, { amount: '1.00' }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});
