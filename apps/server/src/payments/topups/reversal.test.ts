//! Tests payments that the payer's bank takes back after they were credited.
import { describe, expect, it } from 'vitest';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { getUser } from '../../accounts/users/read-users.ts';
import {
  actionsOf,
  availableOf,
  debtOf,
  eventsOf,
  postingsOf,
  requestTopup,
  reverseAtProvider,
  setTerms,
  topupIn,
  useTopupWorld,
} from '../../testing/topups.ts';
import { getTopup } from './read-topups.ts';
import { refreshTopup } from './refresh-topup.ts';
import type { Topup } from './topup.ts';

const { world, market } = useTopupWorld();

const refresh = ({ id }: Topup) => refreshTopup(world.app, market.call, id);
const spend = ({ userId }: Topup, amount: string) =>
  debitBalance(world.app, market.call, userId, { amount });
const stateOf = async (topup: Topup) => [
  await availableOf(world, market, topup.userId),
  await debtOf(world, topup.userId),
];
const userStatusOf = async ({ userId }: Topup) =>
  (await getUser(world.app, market.call, userId)).status;

const paid = () => topupIn(world, market, 'TOPUP_SUCCEEDED');
const PAID = ['topup 5000 USD', 'topup_fee 60 USD'];

describe('a payment that was reversed', () => {
  it('is taken back from the user, once; the top-up stays succeeded and shows it', async () => {
    const topup = await paid();
    await reverseAtProvider(world, topup.id);
    await Promise.all([refresh(topup), refresh(topup), refresh(topup)]);
    expect(await postingsOf(world, topup.id)).toEqual([...PAID, 'topup_reversal 5000 USD']);
    expect(await stateOf(topup)).toEqual(['0.00', '0.00']);
    expect(await getTopup(world.app, market.call, topup.id)).toMatchObject({
      status: 'TOPUP_SUCCEEDED',
      reversed: 5000n,
    });
    expect((await eventsOf(world, topup.id)).at(-1)).toBe('topup.reversed');
    expect(await actionsOf(world, topup.id)).toContain('TOPUP_REVERSED');
    expect(await userStatusOf(topup)).toBe('SUSPENDED');
  });

  it('becomes a debt as far as it is spent, in a marketplace that suspends no user', async () => {
    await setTerms(world, market, { suspendOnReversal: false });
    const topup = await paid();
    await spend(topup, '45.00');
    await reverseAtProvider(world, topup.id);
    await refresh(topup);
    await setTerms(world, market, {});
    expect(await postingsOf(world, topup.id)).toEqual([
      ...PAID,
      'topup_reversal 500 USD',
      'topup_debt 4500 USD',
    ]);
    expect(await stateOf(topup)).toEqual(['0.00', '45.00']);
    expect(await userStatusOf(topup)).toBe('ACTIVE');
  });

  it('comes again when the case is won: the debt is repaid first', async () => {
    const topup = await paid();
    await spend(topup, '45.00');
    await reverseAtProvider(world, topup.id);
    await refresh(topup);
    await reverseAtProvider(world, topup.id, 'reinstate');
    await refresh(topup);
    expect(await stateOf(topup)).toEqual(['5.00', '0.00']);
    expect(await getTopup(world.app, market.call, topup.id)).toMatchObject({ reversed: 0n });
    expect(await actionsOf(world, topup.id)).toContain('TOPUP_REINSTATED');
    expect((await postingsOf(world, topup.id)).slice(-2)).toEqual([
      'topup_reinstated 5000 USD',
      'debt_repayment 4500 USD',
    ]);
  });

  it('stops payouts of the marketplace once its users owe more than the limit', async () => {
    const own = await world.market();
    await setTerms(world, own, { debtLimit: '40.00' });
    const reverseAfter = async (spent: string) => {
      const { id, userId } = await topupIn(world, own, 'TOPUP_SUCCEEDED');
      await debitBalance(world.app, own.call, userId, { amount: spent });
      await reverseAtProvider(world, id);
      await refreshTopup(world.app, own.call, id);
    };
    const standing = () =>
      world.rows(
        `select s.level, s.reason from marketplace_stop s join marketplace m
           on m.id = s.marketplace_id where m.public_id = $1 and s.lifted_at is null`,
        [own.id],
      );
    await reverseAfter('40.00');
    expect(await standing()).toEqual([]);
    await reverseAfter('0.01');
    expect(await standing()).toEqual([
      { level: 'PAYOUTS', reason: 'Users owe 40.01, above the limit of 40.00.' },
    ]);
  });

  it('before it was known here is no credit: only the fee is lost', async () => {
    const topup = await requestTopup(world, market);
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await reverseAtProvider(world, topup.id);
    expect(await refresh(topup)).toMatchObject({
      status: 'TOPUP_FAILED',
      errorCode: 'PAYMENT_REVERSED',
    });
    expect(await postingsOf(world, topup.id)).toEqual(['topup_fee 60 USD']);
    expect(await stateOf(topup)).toEqual(['0.00', '0.00']);
  });
});
