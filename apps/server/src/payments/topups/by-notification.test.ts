//! Tests money that only a notification reports: shown in the balance, and not taken before the
//! provider's record confirms it.
import { randomUUID } from 'node:crypto';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { messageAbout, sendPayment } from '../../testing/payment-webhooks.ts';
import {
  actionsOf,
  availableOf,
  debtOf,
  postingsOf,
  requestTopup,
  reverseAtProvider,
  topupIn,
  useTopupWorld,
} from '../../testing/topups.ts';
import { applyPayinNotification } from './apply-payin.ts';
import { getTopup } from './read-topups.ts';
import type { Topup } from './topup.ts';

const { world, market } = useTopupWorld();

const DONE = { status: 'ok', processed: true };
const CREDIT = 'topup 5000 USD';
const FEE = 'topup_fee 60 USD';

const notify = async (topup: Topup, type: string) =>
  (await sendPayment(world, messageAbout(topup, type))).json;
const statusOf = async ({ id }: Topup) => (await getTopup(world.app, market.call, id)).status;
const balanceOf = ({ userId }: Topup) => availableOf(world, market, userId);

describe('money known by a notification only', () => {
  /** Every way in which a user's 1.00 can be taken; status and details of each response. */
  const takes = async ({ userId }: Topup) => {
    const amount = { amount: '1.00' };
    const destination = { type: 'bank', ref: 'DE89370400440532013000' };
    const requests: readonly [string, object][] = [
      [`/users/${userId}/balance/debit`, amount],
      [`/users/${userId}/balance/reserve`, amount],
      ['/withdrawals', { userId, ...amount, currency: 'USD', destination }],
      [`/orders/${await orderOf(userId)}/reserve`, {}],
    ];
    const sent = requests.map(([path, body]) => market.send('POST', path, { body }));
    return (await Promise.all(sent)).map(({ status, json }) => [
      status,
      json.error?.details ?? null,
    ]);
  };
  /** An order of 1.00, not reserved yet. */
  const orderOf = async (buyerId: UserId): Promise<OrderId> => {
    const body = { buyerId, sellerId: await market.user(), amount: '1.00', title: 'a page' };
    return (await market.send('POST', '/orders', { body })).json.data.data.id;
  };
  const unconfirmedOf = async ({ userId }: Topup) => {
    const [row] = await world.rows<{ unconfirmed: string }>(
      `select unconfirmed from account where kind = 'user' and owner_id = $1`,
      [userId],
    );
    return row?.unconfirmed;
  };

  it('is shown and cannot be taken until the record confirms it', async () => {
    const topup = await requestTopup(world, market);
    expect(await notify(topup, 'payin.succeeded')).toEqual(DONE);
    expect(await balanceOf(topup)).toBe('50.00');
    const details = {
      requested: '1.00',
      available: '50.00',
      unconfirmed: '50.00',
      currency: 'USD',
    };
    expect(await takes(topup)).toEqual([
      [422, details],
      [422, details],
      [422, details],
      [422, details],
    ]);
    // A poll that finds the payment open leaves it so; nor does confirmed money set it free.
    await world.runPolls();
    await creditBalance(world.app, market.call, topup.userId, { amount: '1.50' });
    await debitBalance(world.app, market.call, topup.userId, { amount: '1.25' });
    const more = debitBalance(world.app, market.call, topup.userId, { amount: '0.50' });
    expect((await refusalOf(more)).code).toBe('INSUFFICIENT_FUNDS');
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runPolls();
    expect(await unconfirmedOf(topup)).toBe('0');
    expect(await actionsOf(world, topup.id)).toContain('MONEY_CONFIRMED');
    expect((await takes(topup)).map(([status]) => status)).toEqual([200, 200, 201, 201]);
    expect(await balanceOf(topup)).toBe('46.25');
  });

  it('is not what the refusal names where more is requested than there is', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded');
    const tooMuch = debitBalance(world.app, market.call, topup.userId, { amount: '50.01' });
    expect((await refusalOf(tooMuch)).details).toEqual({
      requested: '50.01',
      available: '50.00',
      currency: 'USD',
    });
  });

  it('repeats its refusal under the same Idempotency-Key, byte for byte', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded');
    const path = `/users/${topup.userId}/balance/debit`;
    const headers = { 'idempotency-key': randomUUID() };
    const debit = () => market.send('POST', path, { body: { amount: '1.00' }, headers });
    const first = await debit();
    expect([first.status, first.json.error.details.unconfirmed]).toEqual([422, '50.00']);
    expect((await debit()).text).toBe(first.text);
  });

  it('stays where it is when the record denies it', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded');
    await world.sandbox.setPayin(topup.id, 'FAILED');
    await world.runPolls();
    expect(await balanceOf(topup)).toBe('50.00');
    const debit = debitBalance(world.app, market.call, topup.userId, { amount: '1.00' });
    expect((await refusalOf(debit)).details['unconfirmed']).toBe('50.00');
  });

  it('is not credited at all where the record has ended otherwise', async () => {
    const topup = await requestTopup(world, market);
    await world.sandbox.setPayin(topup.id, 'FAILED');
    expect(await notify(topup, 'payin.succeeded')).toEqual(DONE);
    expect(await statusOf(topup)).toBe('TOPUP_FAILED');
    expect(await balanceOf(topup)).toBe('0.00');
    expect(await postingsOf(world, topup.id)).toEqual([]);
  });

  it('is credited with its lien, or neither is', async () => {
    const topup = await requestTopup(world, market);
    const { id: topupId, amount } = topup;
    const crashed = applyPayinNotification(
      world.app,
      market.call,
      topupId,
      {
        eventId: 'one',
        type: 'payin.succeeded',
        occurredAt: null,
        id: topupId,
        code: topupId,
        amountMinor: amount.minor,
        currency: 'USD',
        status: 'confirmed',
        reasonCode: null,
        reasonDescription: null,
      },
      async () => Promise.reject(new Error('the process ends')),
    );
    await expect(crashed).rejects.toThrow('the process ends');
    expect([await statusOf(topup), await balanceOf(topup), await unconfirmedOf(topup)]).toEqual([
      'TOPUP_AWAITING_USER_CONFIRMATION',
      '0.00',
      undefined,
    ]);
  });

  it('is taken back by a reversal before it was ever confirmed, and leaves no debt', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded');
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await reverseAtProvider(world, topup.id);
    await world.runPolls();
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT, FEE, 'topup_reversal 5000 USD']);
    expect([await balanceOf(topup), await unconfirmedOf(topup)]).toEqual(['0.00', '0']);
    expect(await debtOf(world, topup.userId)).toBe('0.00');
    await reverseAtProvider(world, topup.id, 'reinstate');
    await world.runPolls();
    expect([await balanceOf(topup), await unconfirmedOf(topup)]).toEqual(['50.00', '0']);
  });

  it('does not pay for the reversal of another payment, and repays debts once confirmed', async () => {
    const first = await topupIn(world, market, 'TOPUP_SUCCEEDED');
    const { userId } = first;
    await debitBalance(world.app, market.call, userId, { amount: '45.00' });
    const second = await requestTopup(world, market, { userId });
    await notify(second, 'payin.succeeded');
    await reverseAtProvider(world, first.id);
    await world.runPolls();
    expect([await balanceOf(second), await debtOf(world, userId)]).toEqual(['50.00', '45.00']);
    await world.sandbox.setPayin(second.id, 'CONFIRMED');
    await world.runPolls();
    expect([await balanceOf(second), await debtOf(world, userId)]).toEqual(['5.00', '0.00']);
  });
});
