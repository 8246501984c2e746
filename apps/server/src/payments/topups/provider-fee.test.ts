//! Tests the payment provider's fee on a top-up: posted as its record shows it, and borne by the
//! marketplace or by the user, whose debt it becomes where nothing is left.
import { assert } from '@holdfast/kernel/assert';
import { describe, expect, it } from 'vitest';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { messageAbout, sendPayment } from '../../testing/payment-webhooks.ts';
import {
  actionsOf,
  availableOf,
  debtOf,
  postingsOf,
  requestTopup,
  setTerms,
  useTopupWorld,
} from '../../testing/topups.ts';
import { instead } from '../../testing/withdrawals.ts';
import { getTopup } from './read-topups.ts';
import { refreshTopup } from './refresh-topup.ts';
import type { Topup } from './topup.ts';

const { world, market } = useTopupWorld();

const setFee = (payinFeePercent: string, payinFeeFixed: string) =>
  world.sandbox.control('POST', '/payment', { payinFeePercent, payinFeeFixed });

/** The webhook comes when the record is there. */
async function paid(fields: Parameters<typeof requestTopup>[2] = {}): Promise<Topup> {
  const topup = await requestTopup(world, market, fields);
  await world.sandbox.setPayin(topup.id, 'CONFIRMED');
  await sendPayment(world, messageAbout(topup, 'payin.succeeded'));
  return topup;
}

const get = ({ id }: Topup) => getTopup(world.app, market.call, id);
const availableFor = ({ userId }: Topup) => availableOf(world, market, userId);
const owedBy = ({ userId }: Topup) => debtOf(world, userId);
const debtEventsOf = ({ userId }: Topup) =>
  world.rows<{ type: string; payload: object }>(
    `select event_type as type, payload from outbox
     where aggregate_id = $1 and event_type like 'user.debt%' order by id`,
    [userId],
  );

describe('the fee of the payment provider', () => {
  it('is known and posted once the record is read, and the user keeps the whole payment', async () => {
    const topup = await requestTopup(world, market);
    await sendPayment(world, messageAbout(topup, 'payin.succeeded'));
    expect(await get(topup)).toMatchObject({ fee: null, feePaidBy: 'MARKETPLACE' });
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runPolls();
    expect(await get(topup)).toMatchObject({ fee: 60n, status: 'TOPUP_SUCCEEDED' });
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD', 'topup_fee 60 USD']);
    expect(await actionsOf(world, topup.id)).toContain('TOPUP_FEE_BOOKED');
    expect(await availableFor(topup)).toBe('50.00');
  });

  it('is zero where the provider takes none', async () => {
    await setFee('0', '0');
    const topup = await paid();
    await world.runPolls();
    await setFee('1', '0.1');
    expect(await get(topup)).toMatchObject({ fee: 0n });
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD']);
  });
});

describe('a fee that the user bears', () => {
  it('is charged when it is posted, by the terms at the creation of the top-up', async () => {
    await setTerms(world, market, { payinFee: 'USER' });
    const topup = await paid();
    await setTerms(world, market, {});
    await world.runPolls();
    expect(await get(topup)).toMatchObject({ fee: 60n, feePaidBy: 'USER' });
    expect(await postingsOf(world, topup.id)).toEqual([
      'topup 5000 USD',
      'topup_fee 60 USD',
      'topup_fee_charge 60 USD',
    ]);
    expect(await availableFor(topup)).toBe('49.40');
  });

  it('becomes a debt where the money is spent, which the next payment repays first', async () => {
    await setTerms(world, market, { payinFee: 'USER' });
    await setFee('0', '0');
    const first = await paid();
    await debitBalance(world.app, market.call, first.userId, { amount: '49.80' });
    await setFee('1', '0.1');
    const { payments } = world.app;
    assert(payments !== undefined, 'the world has a payment provider');
    // The record shows its fee later.
    const findPayin: PaymentProvider['findPayin'] = async (code) => {
      const found = await payments.findPayin(code);
      return found.kind === 'done' && found.value !== null
        ? { ...found, value: { ...found.value, netMinor: 4940n } }
        : found;
    };
    const app = { ...world.app, payments: instead(payments, { findPayin }) };
    await refreshTopup(app, market.call, first.id);
    expect(await postingsOf(world, first.id)).toEqual([
      'topup 5000 USD',
      'topup_fee 60 USD',
      'topup_fee_charge 20 USD',
      'topup_debt 40 USD',
    ]);
    expect([await availableFor(first), await owedBy(first)]).toEqual(['0.00', '0.40']);
    await setTerms(world, market, {});
    const { userId } = first;
    const second = await paid({ userId });
    expect([await availableFor(second), await owedBy(second)]).toEqual(['49.60', '0.00']);
    expect(await debtEventsOf(first)).toEqual([
      {
        type: 'user.debt_opened',
        payload: { userId, amount: '0.40', currency: 'USD', subjectId: first.id, owed: '0.40' },
      },
      {
        type: 'user.debt_repaid',
        payload: { userId, amount: '0.40', currency: 'USD', subjectId: second.id, owed: '0.00' },
      },
    ]);
  });
});
