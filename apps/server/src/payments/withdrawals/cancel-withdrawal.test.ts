import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import {
  createdBy,
  entriesOf,
  externalAccount,
  holdsOf,
  instead,
  payeeWith,
  payoutEffects,
  statusOf,
  usePayoutWorld,
  type WithdrawalIn,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { cancelWithdrawal } from './cancel-withdrawal.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import { pausePayouts, resumePayouts } from './payouts-pause.ts';
import type { Withdrawal } from './withdrawal.ts';

const { world, market } = usePayoutWorld();

const withdrawal = (state: Withdrawal['status']) => withdrawalIn(world, market, state);
const cancel = ({ id }: Pick<WithdrawalIn, 'id'>, call = market.call) =>
  cancelWithdrawal(world.app, call, id, { reason: 'changed my mind' });
const post = ({ id }: WithdrawalIn, headers: Record<string, string> = {}) =>
  market.send('POST', `/withdrawals/${id}/cancel`, { headers });
const holds = (one: WithdrawalIn) => holdsOf(world, market, one);
const status = ({ id }: WithdrawalIn) => statusOf(world, market, id);
const RETURNED = ['withdrawal_hold 20.00', 'withdrawal_hold_return 20.00'];

describe('one that is not committed', () => {
  it('returns its hold and records who canceled, and why', async () => {
    const one = await withdrawal('WITHDRAWAL_CREATED');
    const call = oneCall(market);
    expect(await cancel(one, call)).toMatchObject({
      status: 'WITHDRAWAL_CANCELED',
      failureReason: 'changed my mind',
    });
    expect(await holds(one)).toBe('50.00 0.00');
    expect(await entriesOf(world, one.id)).toEqual(RETURNED);
    expect(await payoutEffects(world, one.id)).toEqual([]);
    expect((await eventsOf(world, call)).at(-1)).toEqual({
      type: 'withdrawal.canceled',
      payload: {
        withdrawalId: one.id,
        userId: one.userId,
        amount: '20.00',
        canceledBy: market.keyId,
        reason: 'changed my mind',
        refundedToBalance: true,
        newAvailableBalance: '50.00',
      },
    });
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'WITHDRAWAL_CANCELED', resource: one.id },
    ]);
  });

  it('needs no engine, no provider and no running payouts', async () => {
    const one = await withdrawal('WITHDRAWAL_CREATED');
    const down = {
      ...world.app,
      engine: {
        ...world.app.engine,
        checkUp: () => Promise.reject(new Error('the engine is down')),
      },
    };
    const system = systemCall(market.call.actor.marketplace);
    await transact(world.app, system, (tx) => pausePayouts(tx, 'why'));
    expect((await cancelWithdrawal(down, market.call, one.id)).status).toBe('WITHDRAWAL_CANCELED');
    await transact(world.app, system, (tx) => resumePayouts(tx, 'over', 'master'));
  });

  it('that would go over the network is canceled too', async () => {
    const payee = await payeeWith(world, market);
    const destination = { type: 'crypto', ref: await externalAccount(world) } as const;
    const id = await createdBy(world, market, payee, { destination });
    expect((await cancel({ id })).status).toBe('WITHDRAWAL_CANCELED');
    expect(await holdsOf(world, market, payee)).toBe('50.00 0.00');
  });

  it('of another marketplace, or of none, is not found', async () => {
    const one = await withdrawal('WITHDRAWAL_CREATED');
    const other = await world.market();
    const { status: code, json } = await other.send('POST', `/withdrawals/${one.id}/cancel`);
    expect([code, json.error.code]).toEqual([404, 'WITHDRAWAL_NOT_FOUND']);
    expect(await status(one)).toBe('WITHDRAWAL_CREATED');
  });

  it('under one key returns the same bytes again, and without it 409', async () => {
    const one = await withdrawal('WITHDRAWAL_CREATED');
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await post(one, headers), await post(one, headers)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json.data).toEqual(first.json.data);
    const { status: code, json } = await post(one);
    expect([code, json.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(json.error.details).toEqual({
      resource: 'Withdrawal',
      id: one.id,
      state: 'WITHDRAWAL_CANCELED',
      allowed: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'],
    });
    expect(await entriesOf(world, one.id)).toEqual(RETURNED);
  });

  it('by ten at once is canceled once', async () => {
    const one = await withdrawal('WITHDRAWAL_CREATED');
    const all = await Promise.all(Array.from({ length: 10 }, () => post(one)));
    const codes = all.map((each) => each.status).sort((a, b) => a - b);
    expect(codes).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await entriesOf(world, one.id)).toEqual(RETURNED);
  });

  it('and committed at the same moment has one end', async () => {
    for (let round = 0; round < 8; round += 1) {
      const one = await withdrawal('WITHDRAWAL_CREATED');
      const [canceled, committed] = await Promise.allSettled([
        cancel(one),
        commitWithdrawal(world.app, market.call, one.id),
      ]);
      const effects = await payoutEffects(world, one.id);
      if (committed.status === 'rejected') {
        expect(committed.reason).toMatchObject({ code: 'INVALID_STATE' });
        expect(effects).toEqual([]);
      } else if (canceled.status === 'fulfilled') {
        // It was committed first, and its payout was canceled at the provider.
        expect(effects).toEqual(['create', 'commit', 'cancel']);
      } else {
        expect(['INVALID_STATE', 'SERVICE_UNAVAILABLE']).toContain(
          (canceled.reason as { code: string }).code,
        );
        expect(await status(one)).toBe('WITHDRAWAL_PENDING');
        await cancel(one);
      }
      expect(await status(one)).toBe('WITHDRAWAL_CANCELED');
      expect(await entriesOf(world, one.id)).toEqual(RETURNED);
    }
  });
});

describe('a payout that was sent', () => {
  it.each(['WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'] as const)(
    '%s: is canceled at the provider, and its hold returned',
    async (state) => {
      const one = await withdrawal(state);
      const call = oneCall(market);
      expect(await cancel(one, call)).toMatchObject({
        status: 'WITHDRAWAL_CANCELED',
        failureReason: 'changed my mind',
        nextPollAt: null,
      });
      expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit', 'cancel']);
      expect(await holds(one)).toBe('50.00 0.00');
      expect(await entriesOf(world, one.id)).toEqual(RETURNED);
      expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([
        'balance.released',
        'withdrawal.canceled',
      ]);
    },
  );

  it('without the provider’s id is found by ours', async () => {
    const one = await withdrawal('WITHDRAWAL_PENDING');
    await world.rows('update withdrawal set provider_payout_id = null where id = $1', [one.id]);
    expect((await cancel(one)).status).toBe('WITHDRAWAL_CANCELED');
  });

  it('under one key returns the same bytes again', async () => {
    const one = await withdrawal('WITHDRAWAL_PENDING');
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await post(one, headers), await post(one, headers)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json.data).toEqual(first.json.data);
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit', 'cancel']);
  });
});

describe('is refused with INVALID_STATE', () => {
  it.each([
    'WITHDRAWAL_COMMITTED',
    'WITHDRAWAL_COMPLETED',
    'WITHDRAWAL_FAILED',
    'WITHDRAWAL_CANCELED',
  ] as const)('when %s, and changes nothing', async (state) => {
    const one = await withdrawal(state);
    const before = await entriesOf(world, one.id);
    const { status: code, json } = await post(one);
    expect([code, json.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await status(one)).toBe(state);
    expect(await entriesOf(world, one.id)).toEqual(before);
    await world.engine.runWorker();
  });

  it.each([
    ['COMPLETED', '30.00 0.00'],
    ['FAILED', '50.00 0.00'],
  ])('when the provider was faster and says %s, which is applied', async (decided, left) => {
    const one = await withdrawal('WITHDRAWAL_PENDING');
    await world.sandbox.setPayout(one.id, decided);
    const refusal = await refusalOf(cancel(one));
    expect(refusal.code).toBe('INVALID_STATE');
    expect(refusal.details).toMatchObject({ state: `WITHDRAWAL_${decided}` });
    expect(await holds(one)).toBe(left);
    expect(await entriesOf(world, one.id)).toHaveLength(2);
  });

  it('when the provider no longer cancels a payout that is still in transit', async () => {
    const one = await withdrawal('WITHDRAWAL_PENDING');
    const { payments } = world.custody;
    if (payments === undefined) throw new Error('the sandbox has a payment provider');
    const cancelPayout = async () =>
      ({ kind: 'refused', code: 'cannot-cancel', reason: 'it is being sent' }) as const;
    Object.assign(world.custody, { payments: instead(payments, { cancelPayout }) });
    const refusal = await refusalOf(cancel(one)).finally(() =>
      Object.assign(world.custody, { payments }),
    );
    expect(refusal).toMatchObject({
      code: 'INVALID_STATE',
      details: {
        state: 'WITHDRAWAL_PENDING',
        allowed: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_PENDING_USER_ACTION'],
      },
    });
    expect(await holds(one)).toBe('30.00 20.00');
  });
});

it('is refused with the provider’s reason when it refuses for another one', async () => {
  const one = await withdrawal('WITHDRAWAL_PENDING');
  await world.sandbox.arm('payment', 'payout.cancel', 'reject');
  expect((await refusalOf(cancel(one))).code).toBe('INTERNAL_ERROR');
  expect(await status(one)).toBe('WITHDRAWAL_PENDING');
  expect(await holds(one)).toBe('30.00 20.00');
  expect((await cancel(one)).status).toBe('WITHDRAWAL_CANCELED');
});
