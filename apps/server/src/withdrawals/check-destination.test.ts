import type { Currency } from '@holdfast/kernel/currency';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditBooks, type EscrowWorld, refusalOf } from '../testing/escrows.ts';
import {
  holdsOf,
  instead,
  openPayoutWorld,
  payeeWith,
  strangerOn,
  wishOf,
} from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import type { WithdrawalWish } from './withdrawal-wish.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openPayoutWorld();
  market = await world.market();
});
afterAll(async () => {
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});

const create = (wish: WithdrawalWish) => createWithdrawal(world.app, market.call, wish);

describe('each way of payment', () => {
  it.each([
    ['payment_account', 'USD'],
    ['payment_account', 'USDC'],
    ['bank', 'USD'],
    ['crypto', 'USD'],
    ['crypto', 'USDC'],
    ['crypto', 'XLM'],
  ] as const)('%s takes %s', async (type, currency: Currency) => {
    const one = await payeeWith(world, market, { currency });
    const ref = { payment_account: one.email, bank: 'DE00', crypto: await strangerOn(world) }[type];
    const made = await create(wishOf(one, { currency, destination: { type, ref } }));
    expect(made.destination).toEqual({ type, ref, memo: null });
    expect(await holdsOf(world, market, one, currency)).toBe('30.00 20.00');
  });

  it('XLM needs no trustline', async () => {
    const one = await payeeWith(world, market, { currency: 'XLM' });
    const ref = await strangerOn(world, { trusts: false });
    const destination = { type: 'crypto', ref, memo: 'invoice 7' } as const;
    const made = await create(wishOf(one, { currency: 'XLM', destination }));
    expect(made.destination.memo).toBe('invoice 7');
  });

  it('a bank only where the provider has it', async () => {
    const one = await payeeWith(world, market);
    const { payments } = world.app;
    const bankless = payments && instead(payments, { hasBankPayouts: false });
    const app = { ...world.app, payments: bankless };
    const wish = wishOf(one, { destination: { type: 'bank', ref: 'DE00' } });
    expect((await refusalOf(createWithdrawal(app, market.call, wish))).code).toBe(
      'DESTINATION_NOT_SUPPORTED',
    );
  });
});
