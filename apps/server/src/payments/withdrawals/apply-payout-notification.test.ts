//! Tests money that comes back by a notification of a failed or canceled payout: shown in the balance,
//! and not taken before the provider's record agrees.
import { afterAll, describe, expect, it } from 'vitest';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { oneCall } from '../../testing/orders.ts';
import {
  createdBy,
  entriesOf,
  holdsOf,
  payoutNotification,
  statusOf,
  usePayoutWorld,
  type WithdrawalIn,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { applyPayoutNotification } from './apply-payout-notification.ts';
import { refreshWithdrawal } from './refresh-withdrawal.ts';

const { world, market } = usePayoutWorld();
afterAll(() => world.engine.runWorker());

const notify = (withdrawal: WithdrawalIn, status: 'failed' | 'canceled') =>
  applyPayoutNotification(
    world.app,
    oneCall(market),
    withdrawal.id,
    payoutNotification(withdrawal, status),
    async () => undefined,
  );

const BACK = '50.00 0.00';
const HELD = 'withdrawal_hold 20.00';
const RETURNED = [HELD, 'withdrawal_hold_return 20.00'];
const PAID = [HELD, 'withdrawal_payout 20.00'];

describe('money given back by a notification only', () => {
  const ofRecord = async ({ id }: WithdrawalIn, status: string) => {
    await world.sandbox.setPayout(id, status);
    await refreshWithdrawal(world.app, oneCall(market), id);
  };
  const debit = ({ userId }: WithdrawalIn, amount: string) =>
    debitBalance(world.app, market.call, userId, { amount });

  it.each(['failed', 'canceled'] as const)(
    'as %s is shown, and cannot be taken until the record says so too',
    async (status) => {
      const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
      await notify(withdrawal, status);
      expect(await holdsOf(world, market, withdrawal)).toBe(BACK);
      const again = createdBy(world, market, withdrawal, { amount: '30.01' });
      expect(await refusalOf(again)).toMatchObject({
        code: 'INSUFFICIENT_FUNDS',
        details: { available: '50.00', unconfirmed: '20.00' },
      });
      // The payout is still under way by its record.
      await refreshWithdrawal(world.app, oneCall(market), withdrawal.id);
      expect((await refusalOf(debit(withdrawal, '30.01'))).code).toBe('INSUFFICIENT_FUNDS');
      await ofRecord(withdrawal, status.toUpperCase());
      await debit(withdrawal, '50.00');
      expect(await entriesOf(world, withdrawal.id)).toEqual(RETURNED);
    },
  );

  it('is taken again when the record says that it was paid', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await notify(withdrawal, 'failed');
    await debit(withdrawal, '30.00');
    await ofRecord(withdrawal, 'COMPLETED');
    expect(await statusOf(world, market, withdrawal.id)).toBe('WITHDRAWAL_FAILED');
    expect(await holdsOf(world, market, withdrawal)).toBe('0.00 0.00');
    expect(await entriesOf(world, withdrawal.id)).toEqual([...RETURNED, 'withdrawal_retake 20.00']);
  });

  it('is not given back where the record has ended as paid', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await world.sandbox.setPayout(withdrawal.id, 'COMPLETED');
    await notify(withdrawal, 'failed');
    expect(await statusOf(world, market, withdrawal.id)).toBe('WITHDRAWAL_COMPLETED');
    expect(await entriesOf(world, withdrawal.id)).toEqual(PAID);
  });

  it('can be used at once where the record is there, or nothing was ever sent', async () => {
    const ended = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await world.sandbox.setPayout(ended.id, 'FAILED');
    const unsent = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
    for (const withdrawal of [ended, unsent]) {
      await notify(withdrawal, 'failed');
      await debit(withdrawal, '50.00');
    }
  });
});
