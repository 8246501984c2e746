import type { Currency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';
import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { cancelReservations } from './cancel-reservations.ts';
import { creditBalance } from './credit-balance.ts';
import { getBalance } from './get-balance.ts';
import { post } from './post.ts';

const world = useWorld();

const ORDER = 'ord_1k08xma8hx9nfnxfjw85ag4b3g4';

async function withHolds(holds: [amount: string, currency: Currency, orderId?: string][]) {
  const market = await world.market();
  const user = await market.user();
  for (const [amount, currency, orderId] of holds) {
    await creditBalance(world.app, market.call, user, { amount, currency });
    await post(world.app, market.call, {
      kind: 'reserve',
      userId: user,
      currency,
      amount: Money.read(amount, currency) as Money,
      orderId,
    });
  }
  return { market, user };
}

it('returns every hold of the order and no other', async () => {
  const { market, user } = await withHolds([
    ['5.00', 'USD', ORDER],
    ['7.00', 'USD', ORDER],
    ['3.00', 'USD'],
  ]);
  expect(await cancelReservations(world.app, market.call, user, { orderId: ORDER })).toMatchObject({
    available: 1200n,
    reserved: 300n,
  });
  await expect(
    cancelReservations(world.app, market.call, user, { orderId: ORDER }),
  ).rejects.toSatisfy(isRefusal('RESERVATION_NOT_FOUND'));
});

it('returns holds in every currency', async () => {
  const { market, user } = await withHolds([
    ['5.00', 'USD', ORDER],
    ['7.00', 'USDC', ORDER],
  ]);
  await cancelReservations(world.app, market.call, user, { orderId: ORDER });
  for (const currency of ['USD', 'USDC'] as const) {
    expect(await getBalance(world.app, market.call, user, currency)).toMatchObject({
      reserved: 0n,
    });
  }
});
