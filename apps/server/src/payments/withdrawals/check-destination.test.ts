import type { Currency } from '@holdfast/kernel/currency';
import { Operation } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../testing/escrows.ts';
import { openExternalAccount } from '../../testing/external-payer.ts';
import {
  externalAccount,
  holdsOf,
  inputOf,
  instead,
  payeeWith,
  usePayoutWorld,
} from '../../testing/withdrawals.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import type { WithdrawalInput } from './withdrawal-input.ts';

const { world, market } = usePayoutWorld();

const create = (input: WithdrawalInput) => createWithdrawal(world.app, market.call, input);

describe('each payment method', () => {
  it.each([
    ['payment_account', 'USD'],
    ['payment_account', 'USDC'],
    ['bank', 'USD'],
    ['crypto', 'USD'],
    ['crypto', 'USDC'],
    ['crypto', 'XLM'],
  ] as const)('%s takes %s', async (type, currency: Currency) => {
    const one = await payeeWith(world, market, { currency });
    const ref = { payment_account: one.email, bank: 'DE00', crypto: await externalAccount(world) }[
      type
    ];
    const created = await create(inputOf(one, { currency, destination: { type, ref } }));
    expect(created.destination).toEqual({ type, ref, memo: null });
    expect(await holdsOf(world, market, one, currency)).toBe('30.00 20.00');
  });

  it('XLM needs no trustline', async () => {
    const one = await payeeWith(world, market, { currency: 'XLM' });
    const ref = await externalAccount(world, { trusts: false });
    const destination = { type: 'crypto', ref, memo: 'invoice 7' } as const;
    const created = await create(inputOf(one, { currency: 'XLM', destination }));
    expect(created.destination.memo).toBe('invoice 7');
  });

  it('crypto needs a memo where the account requires one', async () => {
    const one = await payeeWith(world, market, { currency: 'XLM' });
    const exchange = await openExternalAccount(world, '100');
    const inputWith = (memo: object) =>
      inputOf(one, {
        currency: 'XLM',
        destination: { type: 'crypto', ref: exchange.address, ...memo },
      });
    await exchange.send(Operation.manageData({ name: 'config.memo_required', value: '1' }));
    expect(await refusalOf(create(inputWith({})))).toMatchObject({
      code: 'DESTINATION_INVALID',
      details: { reason: 'the account requires a memo' },
    });
    await create(inputWith({ memo: 'customer 7' }));
    await exchange.send(Operation.manageData({ name: 'config.memo_required', value: null }));
    await create(inputWith({}));
  });

  it('bank is refused where the provider has no bank payouts', async () => {
    const one = await payeeWith(world, market);
    const { payments } = world.app;
    const bankless = payments && instead(payments, { hasBankPayouts: false });
    const app = { ...world.app, payments: bankless };
    const input = inputOf(one, { destination: { type: 'bank', ref: 'DE00' } });
    expect((await refusalOf(createWithdrawal(app, market.call, input))).code).toBe(
      'DESTINATION_NOT_SUPPORTED',
    );
  });
});
