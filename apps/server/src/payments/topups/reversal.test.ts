//! Tests payments that the payer's bank takes back after they were credited.
import { describe, expect, it } from 'vitest';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { getUser } from '../../accounts/users/read-users.ts';
import { transact } from '../../platform/database/transact.ts';
import type { Payin } from '../../providers/payments/payment-provider.ts';
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
import { until } from '../../testing/until.ts';
import type { Market } from '../../testing/world.ts';
import { getTopup } from './read-topups.ts';
import { applyPayinRecord, refreshTopup } from './refresh-topup.ts';
import { reverse } from './reversal.ts';
import { lockTopup, type Topup } from './topup.ts';

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

const recordOf = async ({ id }: Topup): Promise<Payin> => {
  const found = await world.app.payments?.findPayin(id);
  if (found?.kind !== 'done' || found.value === null) throw new Error('the provider has it');
  return found.value;
};
/** As if the money had come in long ago: a record has had its time to follow the notification. */
const ageReceipt = ({ id }: Topup) =>
  world.rows(`update topup set received_at = received_at - interval '1 hour' where id = $1`, [id]);
const bookedOf = async ({ id }: Topup) => {
  const [row] = await world.rows<{ booked: string }>(
    `select credited + suspended - booked_fee - booked_reversal as booked from topup where id = $1`,
    [id],
  );
  return row?.booked;
};
const standingIn = ({ id }: Market) =>
  world.rows(
    `select s.level, s.reason from marketplace_stop s join marketplace m
       on m.id = s.marketplace_id where m.public_id = $1 and s.lifted_at is null`,
    [id],
  );

const paid = () => topupIn(world, market, 'TOPUP_SUCCEEDED');
/** Paid, and 45.00 of it spent. */
const spentIn = async (own: Market) => {
  const topup = await topupIn(world, own, 'TOPUP_SUCCEEDED');
  await debitBalance(world.app, own.call, topup.userId, { amount: '45.00' });
  await reverseAtProvider(world, topup.id);
  return topup;
};
const isLockAwaited = async () => {
  const waiting = await world.rows(
    `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return waiting.length > 0;
};
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
    await reverseAfter('40.00');
    expect(await standingIn(own)).toEqual([]);
    await reverseAfter('0.01');
    expect(await standingIn(own)).toEqual([
      { level: 'PAYOUTS', reason: 'Users owe 40.01, above the limit of 40.00.' },
    ]);
  });

  it('counts towards the limit together with one that commits at the same time', async () => {
    const own = await world.market();
    await setTerms(world, own, { debtLimit: '50.00' });
    const [first, second] = [await spentIn(own), await spentIn(own)];
    const record = await recordOf(second);
    let isSecondDone = false;
    let secondReversal: Promise<unknown> | undefined;
    await transact(
      world.app,
      own.call,
      async (tx) => {
        await reverse(tx, await lockTopup(tx, first.id));
        secondReversal = applyPayinRecord(world.app, own.call, second.id, record);
        void secondReversal.then(() => {
          isSecondDone = true;
        });
        await until(async () => isSecondDone || (await isLockAwaited()));
      },
      'read committed',
    );
    await secondReversal;
    expect(await standingIn(own)).toMatchObject([{ level: 'PAYOUTS' }]);
  });

  it.each(['unrecognised', 'processing', 'failed', 'canceled', 'missing'] as const)(
    'stays reversed when its record is %s afterwards',
    async (status) => {
      const topup = await paid();
      await reverseAtProvider(world, topup.id);
      await refresh(topup);
      await ageReceipt(topup);
      const record = status === 'missing' ? null : { ...(await recordOf(topup)), status };
      await applyPayinRecord(world.app, market.call, topup.id, record);
      expect(await stateOf(topup)).toEqual(['0.00', '0.00']);
      expect(await getTopup(world.app, market.call, topup.id)).toMatchObject({ reversed: 5000n });
      // A payment that failed cost no fee; of one that is unclear nothing changes.
      const isFailed = status === 'failed' || status === 'canceled';
      expect(await bookedOf(topup)).toBe(isFailed ? '0' : '-60');
    },
  );

  it('leaves nothing in suspense when its record was unclear before', async () => {
    const topup = await paid();
    await ageReceipt(topup);
    const unclear: Payin = { ...(await recordOf(topup)), status: 'unrecognised' };
    await applyPayinRecord(world.app, market.call, topup.id, unclear);
    expect(await bookedOf(topup)).toBe('0');
    await reverseAtProvider(world, topup.id);
    await refresh(topup);
    expect(await bookedOf(topup)).toBe('-60');
    expect(await stateOf(topup)).toEqual(['0.00', '0.00']);
  });

  it('is read again after it came back, as the record may be older than the reversal', async () => {
    const topup = await paid();
    const older = await recordOf(topup);
    await reverseAtProvider(world, topup.id);
    await refresh(topup);
    await applyPayinRecord(world.app, market.call, topup.id, older);
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
    await refresh(topup);
    expect(await availableOf(world, market, topup.userId)).toBe('0.00');
  });

  it('that was not credited posts nothing when its record is read again', async () => {
    const topup = await requestTopup(world, market);
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    const record = await recordOf(topup);
    await applyPayinRecord(world.app, market.call, topup.id, { ...record, amountMinor: 4000n });
    const back: Payin = { ...record, status: 'reversed' };
    await applyPayinRecord(world.app, market.call, topup.id, back);
    const posted = await postingsOf(world, topup.id);
    await applyPayinRecord(world.app, market.call, topup.id, back);
    expect(await postingsOf(world, topup.id)).toEqual(posted);
    expect(await bookedOf(topup)).toBe('-60');
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
