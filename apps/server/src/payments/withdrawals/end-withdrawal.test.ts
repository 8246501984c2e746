//! Tests completed payouts that the recipient's bank returns.
import { expect, it } from 'vitest';
import { transact } from '../../platform/database/transact.ts';
import { oneCall } from '../../testing/orders.ts';
import {
  entriesOf,
  holdsOf,
  payoutNotification,
  statusOf,
  usePayoutWorld,
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
  await world.rows('update withdrawal set next_poll_at = now() where id = $1', [withdrawal.id]);
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
