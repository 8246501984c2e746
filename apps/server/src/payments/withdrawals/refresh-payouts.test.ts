import { expect, it } from 'vitest';
import { unknown } from '../../providers/outcome.ts';
import { setWithdrawalsDue } from '../../testing/due.ts';
import {
  entriesOf,
  holdsOf,
  instead,
  payoutNotification,
  statusOf,
  usePayoutWorld,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { applyPayoutNotification } from './apply-payout-notification.ts';
import { nextPollAt } from './payout-poll.ts';
import { refreshPayouts } from './refresh-payouts.ts';

const { world, market } = usePayoutWorld();

const pollTimes = (ids: readonly string[]) =>
  world.rows('select next_poll_at from withdrawal where id = any ($1)', [ids]);

it('four workers at once finish every payout without a webhook', async () => {
  const ends = ['COMPLETED', 'FAILED', 'CANCELED', 'COMPLETED', 'FAILED', 'CANCELED'];
  const all = [];
  for (const end of ends) {
    const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await world.sandbox.setPayout(one.id, end);
    all.push(one);
  }
  await setWithdrawalsDue(world);
  await Promise.all(Array.from({ length: 4 }, () => refreshPayouts(world.worker)));
  for (const [at, one] of all.entries()) {
    expect(await statusOf(world, market, one.id)).toBe(`WITHDRAWAL_${ends[at]}`);
    expect(await entriesOf(world, one.id)).toHaveLength(2);
  }
  expect(await pollTimes(all.map(({ id }) => id))).toEqual(all.map(() => ({ next_poll_at: null })));
  expect(await refreshPayouts(world.worker)).toBe(0);
});

it('the wait grows with age: five seconds, a fifth of its age, an hour', () => {
  const second = 1000;
  const waitAt = (age: number) =>
    nextPollAt({ committedAt: 0, createdAt: -9e9 }, age * second) / second - age;
  expect([0, 10, 60, 600, 18_000, 864_000].map(waitAt)).toEqual([5, 5, 12, 120, 3600, 3600]);
  expect(nextPollAt({ committedAt: null, createdAt: 0 }, 60_000)).toBe(72_000);
});

it('a worker claims the poll before it fetches, so that no other worker does', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  await setWithdrawalsDue(world);
  let polls = 0;
  const { payments } = world.app;
  if (payments === undefined) throw new Error('the sandbox has a payment provider');
  const findPayout = async () => {
    polls += 1;
    return unknown('silence');
  };
  const app = { ...world.worker, payments: instead(payments, { findPayout }) };
  await Promise.all(Array.from({ length: 4 }, () => refreshPayouts(app)));
  expect(polls).toBe(1);
  expect(await refreshPayouts(app)).toBe(0);
  expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_PENDING');
});

it('a payout that a notification ended is polled once more, to find a difference', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  const notification = payoutNotification(one, 'failed');
  await applyPayoutNotification(
    world.app,
    market.call,
    one.id,
    notification,
    async () => undefined,
  );
  await setWithdrawalsDue(world);
  // The record is still in progress: that contradicts nothing yet.
  await refreshPayouts(world.worker);
  expect(await entriesOf(world, one.id)).toHaveLength(2);
  await world.sandbox.setPayout(one.id, 'COMPLETED');
  await setWithdrawalsDue(world);
  await refreshPayouts(world.worker);
  expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_FAILED');
  expect((await entriesOf(world, one.id)).at(-1)).toBe('withdrawal_retake 20.00');
  expect(await holdsOf(world, market, one)).toBe('30.00 0.00');
  expect(await pollTimes([one.id])).toEqual([{ next_poll_at: null }]);
});
