import { Refusal } from '@holdfast/contract/errors';
import { type Instant, manualClock } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { describe, expect, it } from 'vitest';
import { transact } from '../../platform/database/transact.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { claimPayout } from './claim-payout.ts';
import { type Payout, recordDestination, trustDestination } from './payout-destination.ts';
import { commitUse, giveUseBack } from './payout-use.ts';

const world = useWorld({
  env: {
    HOLDFAST_DESTINATION_COOLING_HOURS: '24',
    HOLDFAST_USER_PAYOUT_LIMIT: '200.00',
    HOLDFAST_USER_PAYOUT_LIMIT_XLM: '300.00',
    HOLDFAST_MARKETPLACE_PAYOUT_LIMIT: '500.00',
    HOLDFAST_MARKETPLACE_PAYOUT_LIMIT_XLM: '1000.00',
  },
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T0 = Date.parse('2026-03-01T12:00:00Z');
const ADDRESS = `G${'A'.repeat(55)}`;

interface Wanted {
  readonly userId?: UserId;
  readonly currency?: Currency;
  readonly destination?: Partial<Payout['destination']>;
}

function payoutOf(amount: string, { userId, currency = 'USD', destination }: Wanted = {}) {
  const money = Money.read(amount, currency);
  if (money === undefined) throw new Error('no amount');
  return {
    id: newId('wd', T0),
    userId: userId ?? newId('usr', T0),
    amount: money,
    currency,
    destination: { type: 'crypto', ref: ADDRESS, memo: null, ...destination },
    createdAt: T0,
  };
}

const at = (now: Instant) => ({ ...world.app, clock: manualClock(now) });
const create = (market: Market, payout: Payout, now: Instant) =>
  transact(at(now), market.call, (tx) => recordDestination(tx, payout));
const claim = (market: Market, payout: ReturnType<typeof payoutOf>, now: Instant) =>
  claimPayout(at(now), market.call, payout);
/** Claims, and commits what was not refused, as the transaction of a commit does. */
async function commit(market: Market, payout: ReturnType<typeof payoutOf>, now: Instant) {
  const refusal = await claim(market, payout, now);
  if (refusal === undefined) await transact(at(now), market.call, (tx) => commitUse(tx, payout));
  return refusal === undefined ? 'paid' : [refusal.code, refusal.details];
}
/** A user whose destination has waited its time long ago. */
async function knownUser(market: Market): Promise<UserId> {
  const payout = payoutOf('1.00');
  await create(market, payout, T0 - 10 * DAY);
  return payout.userId;
}

describe('a new destination', () => {
  it('waits from its first withdrawal on, to the millisecond', async () => {
    const market = await world.market();
    const payout = payoutOf('50.01');
    await create(market, payout, T0);
    // Another withdrawal to it does not start the time again.
    await create(market, payout, T0 + 5 * HOUR);
    const details = { requested: '50.01', currency: 'USD', allowance: '50.00', used: '0.00' };
    expect(await commit(market, payout, T0)).toEqual([
      'DESTINATION_COOLING',
      { ...details, retryAfter: 86_400 },
    ]);
    expect(await commit(market, payout, T0 + DAY - 1)).toEqual([
      'DESTINATION_COOLING',
      { ...details, retryAfter: 1 },
    ]);
    expect(await commit(market, payout, T0 + DAY)).toBe('paid');
  });

  it('gets 50.00 a day, together with the other new ones of the user', async () => {
    const market = await world.market();
    const userId = newId('usr', T0);
    const to = (amount: string, memo: string, currency: Currency = 'USD') =>
      payoutOf(amount, { userId, currency, destination: { memo } });
    for (const memo of ['one', 'two']) await create(market, to('1.00', memo), T0);
    expect(await commit(market, to('30.00', 'one'), T0 + 1)).toBe('paid');
    expect(await commit(market, to('20.01', 'two'), T0 + 2)).toMatchObject([
      'DESTINATION_COOLING',
      { used: '30.00', requested: '20.01' },
    ]);
    expect(await commit(market, to('20.00', 'two', 'USDC'), T0 + 3)).toBe('paid');
    expect(await commit(market, to('1.00', 'one'), T0 + 4)).toMatchObject([
      'DESTINATION_COOLING',
      {},
    ]);
    // XLM has its own figure, and other users have theirs.
    expect(await commit(market, to('100.00', 'one', 'XLM'), T0 + 5)).toBe('paid');
    expect(await commit(market, to('1.00', 'two', 'XLM'), T0 + 6)).toMatchObject([
      'DESTINATION_COOLING',
      { used: '100.00', allowance: '100.00', currency: 'XLM' },
    ]);
    expect(await commit(market, payoutOf('50.00'), T0 + 7)).toBe('paid');
  });

  it('is one with another memo, type or user, but not with other letters of an email', async () => {
    const market = await world.market();
    const first = payoutOf('60.00', { destination: { memo: 'one' } });
    const { userId } = first;
    await create(market, first, T0 - DAY);
    const isNew = async (destination: Partial<Payout['destination']>, by = userId) =>
      (
        await claim(
          market,
          { ...payoutOf('60.00', { userId: by, destination }), createdAt: T0 },
          T0,
        )
      )?.code === 'DESTINATION_COOLING';
    expect(await isNew({ memo: 'one' })).toBe(false);
    expect(await isNew({ memo: 'two' })).toBe(true);
    expect(await isNew({ memo: null })).toBe(true);
    expect(await isNew({ memo: 'one', type: 'bank' })).toBe(true);
    expect(await isNew({ memo: 'one' }, newId('usr', T0))).toBe(true);
    const account = { type: 'payment_account', ref: 'Ada@Example.test' };
    await create(market, payoutOf('1.00', { userId, destination: account }), T0 - DAY);
    expect(await isNew({ ...account, ref: 'ada@example.test' })).toBe(false);
  });

  it('of another marketplace is not known here', async () => {
    const [here, there] = [await world.market(), await world.market()];
    const payout = payoutOf('60.00');
    await create(there, payout, T0 - DAY);
    expect((await claim(here, payout, T0))?.code).toBe('DESTINATION_COOLING');
    expect(await claim(there, payout, T0)).toBe(undefined);
  });

  it('does not wait once it is trusted', async () => {
    const market = await world.market();
    const payout = payoutOf('60.00');
    await create(market, payout, T0);
    await transact(at(T0), market.call, (tx) => trustDestination(tx, payout));
    expect(await claim(market, payout, T0 + 1)).toBe(undefined);
  });
});

describe('the sum of 24 hours', () => {
  it('of a user reaches the limit and no cent more, in dollars of both kinds', async () => {
    const market = await world.market();
    const userId = await knownUser(market);
    const of = (amount: string, currency: Currency = 'USD') =>
      payoutOf(amount, { userId, currency });
    expect(await commit(market, of('120.00'), T0)).toBe('paid');
    expect(await commit(market, of('80.01', 'USDC'), T0 + HOUR)).toEqual([
      'LIMIT_REACHED',
      {
        requested: '80.01',
        currency: 'USD',
        of: 'user',
        limit: '200.00',
        used: '120.00',
        retryAfter: 23 * 3600,
      },
    ]);
    expect(await commit(market, of('80.00', 'USDC'), T0 + HOUR)).toBe('paid');
    expect(await commit(market, of('0.01'), T0 + DAY - 1)).toMatchObject([
      'LIMIT_REACHED',
      { used: '200.00', retryAfter: 1 },
    ]);
    expect(await commit(market, of('120.00'), T0 + DAY)).toBe('paid');
    expect(await commit(market, of('300.00', 'XLM'), T0 + DAY)).toBe('paid');
    expect(await commit(market, of('0.01', 'XLM'), T0 + DAY)).toMatchObject(['LIMIT_REACHED', {}]);
  });

  it('says when enough of it has ended, and nothing where waiting does not help', async () => {
    const market = await world.market();
    const userId = await knownUser(market);
    const of = (amount: string) => payoutOf(amount, { userId });
    for (const hour of [0, 1, 2, 3]) await commit(market, of('50.00'), T0 + hour * HOUR);
    const after = async (amount: string) => {
      const refusal = await claim(market, of(amount), T0 + 4 * HOUR);
      const { retryAfter = 'none' } = { ...refusal?.details } as { retryAfter?: number };
      return retryAfter;
    };
    expect(await after('50.00')).toBe(20 * 3600);
    expect(await after('50.01')).toBe(21 * 3600);
    expect(await after('200.00')).toBe(23 * 3600);
    expect(await after('200.01')).toBe('none');
  });

  it('of a marketplace counts all of its users, and only those', async () => {
    const [market, other] = [await world.market(), await world.market()];
    const pay = async (amount: string, where = market) =>
      commit(where, payoutOf(amount, { userId: await knownUser(where) }), T0);
    for (const amount of ['200.00', '200.00', '50.00']) expect(await pay(amount)).toBe('paid');
    expect(await pay('50.01')).toEqual([
      'LIMIT_REACHED',
      {
        requested: '50.01',
        currency: 'USD',
        of: 'marketplace',
        limit: '500.00',
        used: '450.00',
        retryAfter: 86_400,
      },
    ]);
    expect(await pay('50.00')).toBe('paid');
    expect(await pay('200.00', other)).toBe('paid');
  });

  it('does not count what came back, nor a claim whose commit did not follow', async () => {
    const market = await world.market();
    const userId = await knownUser(market);
    const of = (amount: string) => payoutOf(amount, { userId });
    const returned = of('200.00');
    expect(await commit(market, returned, T0)).toBe('paid');
    await transact(at(T0), market.call, (tx) => giveUseBack(tx, returned.id));
    const abandoned = of('150.00');
    expect(await claim(market, abandoned, T0 + 1)).toBe(undefined);
    expect(await claim(market, of('100.00'), T0 + 60_000)).toMatchObject({ code: 'LIMIT_REACHED' });
    // Claimed again it counts once.
    expect(await claim(market, abandoned, T0 + 60_000)).toBe(undefined);
    expect(await commit(market, of('200.00'), T0 + 120_000)).toBe('paid');
    const late = transact(at(T0 + 120_000), market.call, (tx) => commitUse(tx, abandoned));
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('at the same time', () => {
  it('one user never exceeds the limit, nor the allowance for new destinations', async () => {
    const market = await world.market();
    const known = await knownUser(market);
    const fresh = newId('usr', T0);
    const outcomes = async (userId: UserId, amount: string) =>
      Promise.all(
        Array.from({ length: 12 }, () => commit(market, payoutOf(amount, { userId }), T0)),
      );
    const paid = (all: readonly unknown[]) => all.filter((each) => each === 'paid').length;
    expect(paid(await outcomes(known, '30.00'))).toBe(6);
    expect(paid(await outcomes(fresh, '20.00'))).toBe(2);
  });

  it('the users of a marketplace never exceed its limit, and none is refused for another reason', async () => {
    const market = await world.market();
    const users = await Promise.all(Array.from({ length: 12 }, () => knownUser(market)));
    const all = await Promise.all(
      users.map((userId) => commit(market, payoutOf('90.00', { userId }), T0)),
    );
    expect(all.filter((each) => each === 'paid')).toHaveLength(5);
    expect(all.filter((each) => each[0] === 'LIMIT_REACHED')).toHaveLength(7);
  });
});

it('leaves an audit entry for each refusal of a key', async () => {
  const market = await world.market();
  const payout = payoutOf('60.00');
  expect(await claim(market, payout, T0)).toBeInstanceOf(Refusal);
  const rows = await world.rows(
    'select action, actor_type, result, after from audit where resource_id = $1',
    [payout.id],
  );
  expect(rows).toMatchObject([
    {
      action: 'WITHDRAWAL_COMMIT_REFUSED',
      actor_type: 'API_KEY',
      result: 'FAILURE',
      after: { code: 'DESTINATION_COOLING', requested: '60.00' },
    },
  ]);
});
