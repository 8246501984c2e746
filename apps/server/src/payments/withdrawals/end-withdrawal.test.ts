//! Tests completed payouts that the recipient's bank returns, and money that comes back by a
//! notification alone: shown in the balance, and not taken before the provider's record agrees.
import { describe, expect, it } from 'vitest';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { transact } from '../../platform/database/transact.ts';
import { setWithdrawalsDue } from '../../testing/due.ts';
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
import { applyPayout } from './apply-payout.ts';
import { applyPayoutNotification } from './apply-payout-notification.ts';
import { getWithdrawal } from './read-withdrawals.ts';
import { refreshWithdrawal } from './refresh-withdrawal.ts';
import { lockWithdrawal } from './withdrawal.ts';

const { world, market } = usePayoutWorld();

async function returnedAtProvider() {
  const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_COMPLETED');
  await world.sandbox.control('POST', `/payouts/${withdrawal.id}/return`);
  await setWithdrawalsDue(world, [withdrawal.id]);
  return withdrawal;
}

it('gives the user the money back, once; the withdrawal stays completed and shows it', async () => {
  const { id } = await returnedAtProvider();
  const refresh = () => refreshWithdrawal(world.app, market.call, id);
  await Promise.all([refresh(), refresh()]);
  await refresh();
  expect(await statusOf(world, market, id)).toBe('WITHDRAWAL_COMPLETED');
  expect((await entriesOf(world, id)).at(-1)).toBe('withdrawal_return 20.00');
  expect((await entriesOf(world, id)).filter((entry) => entry.includes('return '))).toHaveLength(1);
  const withdrawal = await getWithdrawal(world.app, market.call, id);
  expect(withdrawal).toMatchObject({ returned: 2000n, nextPollAt: null });
  const audited = await world.rows(
    `select action from audit where resource_id = $1 and action = 'WITHDRAWAL_RETURNED'`,
    [id],
  );
  expect(audited).toHaveLength(1);
  await world.sequence();
  const events = await world.rows<{ type: string }>(
    'select event_type as type from event where aggregate_id = $1 order by position',
    [id],
  );
  expect(events.at(-1)?.type).toBe('withdrawal.returned');
});

it('is given back once, though a late notification reports the payment again', async () => {
  const withdrawal = await returnedAtProvider();
  const { id } = withdrawal;
  await refreshWithdrawal(world.app, market.call, id);
  const returned = await entriesOf(world, id);
  const late = payoutNotification(withdrawal, 'completed', {});
  await applyPayoutNotification(world.app, oneCall(market), id, late, async () => undefined);
  expect(await entriesOf(world, id)).toEqual(returned);
  await refreshWithdrawal(world.app, market.call, id);
  expect(await entriesOf(world, id)).toEqual(returned);
  expect(await holdsOf(world, market, withdrawal)).toBe('50.00 0.00');
});

it('is taken from suspense if the record shows it paid again, and goes back there', async () => {
  const withdrawal = await returnedAtProvider();
  const { id } = withdrawal;
  await refreshWithdrawal(world.app, market.call, id);
  const returned = await entriesOf(world, id);
  const facts = { payoutId: null, at: null, amountMinor: 2000n, reasonCode: null, reason: null };
  for (const status of ['completed', 'failed'] as const)
    await transact(world.app, market.call, async (tx) =>
      applyPayout(tx, world.app.log, await lockWithdrawal(tx, id), {
        by: 'poll',
        status,
        ...facts,
      }),
    );
  const suspense = ['withdrawal_suspense 20.00', 'withdrawal_suspense 20.00'];
  expect(await entriesOf(world, id)).toEqual([...returned, ...suspense]);
  expect(await holdsOf(world, market, withdrawal)).toBe('50.00 0.00');
  const { returned: shown } = await getWithdrawal(world.app, market.call, id);
  expect(shown).toBe(2000n);
});

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
