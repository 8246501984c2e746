import { afterAll, beforeAll, expect, it } from 'vitest';
import { unknown } from '../providers/outcome.ts';
import { auditBooks, type EscrowWorld } from '../testing/escrows.ts';
import {
  entriesOf,
  holdsOf,
  instead,
  openPayoutWorld,
  payoutNotice,
  statusOf,
  withdrawalIn,
} from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';
import { applyPayoutNotice } from './apply-payout.ts';
import { nextLookAt } from './look-times.ts';
import { refreshPayouts } from './refresh-payouts.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openPayoutWorld();
  market = await world.market();
});
afterAll(async () => {
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});

const makeDue = () =>
  world.rows(`update withdrawal set next_look_at = now() - interval '1 second'
    where next_look_at is not null`);
const lookTimes = (ids: readonly string[]) =>
  world.rows('select next_look_at from withdrawal where id = any ($1)', [ids]);

it('finishes every pay-out without a webhook, with four workers at once', async () => {
  const ends = ['COMPLETED', 'FAILED', 'CANCELED', 'COMPLETED', 'FAILED', 'CANCELED'];
  const all = [];
  for (const end of ends) {
    const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await world.sandbox.setPayout(one.id, end);
    all.push(one);
  }
  await makeDue();
  await Promise.all(Array.from({ length: 4 }, () => refreshPayouts(world.app)));
  for (const [at, one] of all.entries()) {
    expect(await statusOf(world, market, one.id)).toBe(`WITHDRAWAL_${ends[at]}`);
    expect(await entriesOf(world, one.id)).toHaveLength(2);
  }
  expect(await lookTimes(all.map(({ id }) => id))).toEqual(all.map(() => ({ next_look_at: null })));
  expect(await refreshPayouts(world.app)).toBe(0);
});

it('waits longer the older it is: five seconds, a fifth of its age, an hour', () => {
  const second = 1000;
  const waitAt = (age: number) =>
    nextLookAt({ committedAt: 0, createdAt: -9e9 }, age * second) / second - age;
  expect([0, 10, 60, 600, 18_000, 864_000].map(waitAt)).toEqual([5, 5, 12, 120, 3600, 3600]);
  expect(nextLookAt({ committedAt: null, createdAt: 0 }, 60_000)).toBe(72_000);
});

it('takes its look before it looks, so that nobody else does', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  await makeDue();
  let looks = 0;
  const { payments } = world.app;
  if (payments === undefined) throw new Error('the sandbox has a payment provider');
  const findPayout = async () => {
    looks += 1;
    return unknown('silence');
  };
  const app = { ...world.app, payments: instead(payments, { findPayout }) };
  await Promise.all(Array.from({ length: 4 }, () => refreshPayouts(app)));
  expect(looks).toBe(1);
  expect(await refreshPayouts(app)).toBe(0);
  expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_PENDING');
});

it('looks once more at what a notice has ended, and finds what it did not tell', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  const notice = payoutNotice(one, 'failed');
  await applyPayoutNotice(world.app, market.call, one.id, notice, async () => undefined);
  await makeDue();
  // The record is still on its way: that contradicts nothing yet.
  await refreshPayouts(world.app);
  expect(await entriesOf(world, one.id)).toHaveLength(2);
  await world.sandbox.setPayout(one.id, 'COMPLETED');
  await makeDue();
  await refreshPayouts(world.app);
  expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_FAILED');
  expect((await entriesOf(world, one.id)).at(-1)).toBe('withdrawal_suspense 20.00');
  expect(await holdsOf(world, market, one)).toBe('50.00 0.00');
  expect(await lookTimes([one.id])).toEqual([{ next_look_at: null }]);
});
