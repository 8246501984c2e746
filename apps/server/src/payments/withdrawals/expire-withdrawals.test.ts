import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import {
  entriesOf,
  holdsOf,
  payoutEffects,
  statusOf,
  usePayoutWorld,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import { expireWithdrawals } from './expire-withdrawals.ts';

const { world, market } = usePayoutWorld({ HOLDFAST_WITHDRAWAL_EXPIRY_DAYS: '3' });

const DAY_MS = 86_400_000;
const created = () => withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
/** One whose time was up a minute ago. */
const overdue = async () => {
  const one = await created();
  await world.rows(`update withdrawal set expires_at = now() - interval '1 minute' where id = $1`, [
    one.id,
  ]);
  return one;
};
const run = () => expireWithdrawals(world.worker);

it('shows until when it has to be committed, and only while that matters', async () => {
  const one = await created();
  const path = `/withdrawals/${one.id}`;
  const { createdAt, expiresAt } = (await market.send('GET', path)).json.data.data;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3 * DAY_MS);
  await commitWithdrawal(world.app, market.call, one.id);
  expect((await market.send('GET', path)).json.data.data.expiresAt).toBe(null);
});

it('cancels what was not committed in time, by four workers at once, once', async () => {
  const due = await Promise.all(Array.from({ length: 5 }, overdue));
  const early = await created();
  const sent = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  await world.rows(`update withdrawal set expires_at = now() where id = $1`, [sent.id]);
  const counts = await Promise.all(Array.from({ length: 4 }, run));
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(due.length);
  for (const one of due) {
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_CANCELED');
    expect(await holdsOf(world, market, one)).toBe('50.00 0.00');
    expect(await entriesOf(world, one.id)).toHaveLength(2);
  }
  expect(await statusOf(world, market, early.id)).toBe('WITHDRAWAL_CREATED');
  expect(await statusOf(world, market, sent.id)).toBe('WITHDRAWAL_PENDING');
  expect(await run()).toBe(0);
});

it('goes by the clock of the service, not by that of the database', async () => {
  const one = await overdue();
  const clock = manualClock(world.app.clock.now() - DAY_MS);
  expect(await expireWithdrawals({ ...world.worker, clock })).toBe(0);
  expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_CREATED');
  expect(await run()).toBe(1);
});

it('says in event and audit log that the system canceled it, and why', async () => {
  const { id } = await overdue();
  await run();
  await world.sequence();
  const reason = 'It was not confirmed in time.';
  const [event] = await world.rows<{ payload: object }>(
    `select payload from event where event_type = 'withdrawal.canceled' and aggregate_id = $1`,
    [id],
  );
  expect(event?.payload).toMatchObject({ canceledBy: 'system', reason });
  const audited = await world.rows(
    `select actor_id, after->>'canceledBy' as by, reason from audit
     where resource_id = $1 and action = 'WITHDRAWAL_CANCELED'`,
    [id],
  );
  expect(audited).toEqual([{ actor_id: 'system', by: 'system', reason }]);
});

it('does not wait for one that another transaction has', async () => {
  const one = await overdue();
  const client = await world.app.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.marketplace_id', $1, true)`, [
      market.call.actor.marketplace,
    ]);
    await client.query('select from withdrawal where id = $1 for no key update', [one.id]);
    expect(await run()).toBe(0);
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(await run()).toBe(1);
});

it('of expiry and commit at the same moment one wins', async () => {
  for (let round = 0; round < 8; round += 1) {
    const one = await overdue();
    const [expired, committed] = await Promise.allSettled([
      run(),
      commitWithdrawal(world.app, market.call, one.id),
    ]);
    if (committed.status === 'fulfilled') {
      expect(expired).toMatchObject({ value: 0 });
      expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit']);
      expect(await holdsOf(world, market, one)).toBe('30.00 20.00');
    } else {
      expect(committed.reason).toMatchObject({ code: 'INVALID_STATE' });
      expect(await payoutEffects(world, one.id)).toEqual([]);
      expect(await holdsOf(world, market, one)).toBe('50.00 0.00');
    }
  }
});
