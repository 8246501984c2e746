import { expect, it } from 'vitest';
import { createTopup } from '../../payments/topups/create-topup.ts';
import { transact } from '../../platform/database/transact.ts';
import { usePayoutWorld, withdrawalIn } from '../../testing/withdrawals.ts';
import { recheckPayment } from './recheck-payment.ts';

const { world, market } = usePayoutWorld();

const recheck = (id: string) => transact(world.app, market.call, (tx) => recheckPayment(tx, id));

it('has a payout polled now, though its next poll is far away or was the last one', async () => {
  const isDue = async () => {
    const rows = await world.rows(
      'select from withdrawal where id = $1 and next_poll_at <= now()',
      [id],
    );
    return rows.length === 1;
  };
  const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_COMPLETED');
  for (const next of ["now() + interval '1 hour'", 'null']) {
    await world.rows(`update withdrawal set next_poll_at = ${next} where id = $1`, [id]);
    expect(await isDue()).toBe(false);
    await recheck(id);
    expect(await isDue()).toBe(true);
  }
});

it('has a top-up polled now, though its next poll is far away or was the last one', async () => {
  const isDue = async () => {
    const due = 'select from topup_poll where topup_id = $1 and next_poll_at <= now()';
    return (await world.rows(due, [id])).length === 1;
  };
  const userId = await market.user();
  const { id } = await createTopup(world.app, market.call, { userId, amount: '5.00' });
  const later = `update topup_poll set next_poll_at = now() + interval '1 day'`;
  for (const before of [later, 'delete from topup_poll']) {
    await world.rows(`${before} where topup_id = $1`, [id]);
    expect(await isDue()).toBe(false);
    await recheck(id);
    expect(await isDue()).toBe(true);
  }
});
