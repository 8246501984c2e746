import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import {
  createdBy,
  entriesOf,
  holdsOf,
  payeeWith,
  payoutEffects,
  seedPayout,
  statusOf,
  usePayoutWorld,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import { pausePayouts, resumePayouts } from './payouts-pause.ts';
import type { Withdrawal } from './withdrawal.ts';

const { world, market } = usePayoutWorld();

const commit = (id: Withdrawal['id'], call = market.call) => commitWithdrawal(world.app, call, id);
const created = () => withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
const holds = (one: { userId: Awaited<ReturnType<typeof created>>['userId'] }) =>
  holdsOf(world, market, one);

describe('a commit', () => {
  it('creates one payout under our id, commits it, and keeps the hold', async () => {
    const one = await created();
    const call = oneCall(market);
    const sent = await commit(one.id, call);
    expect(sent).toMatchObject({ status: 'WITHDRAWAL_PENDING', committedAt: expect.any(Number) });
    const record = await world.app.payments?.findPayout(one.id);
    expect(record).toMatchObject({
      value: { id: sent.providerPayoutId, amountMinor: 2000n, recipient: { email: one.email } },
    });
    expect(await holds(one)).toBe('30.00 20.00');
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit']);
    const about = { withdrawalId: one.id, userId: one.userId, amount: '20.00' };
    expect(await eventsOf(world, call)).toEqual([
      {
        type: 'withdrawal.committed',
        payload: {
          ...about,
          currency: 'USD',
          committedBalance: '20.00',
          availableBalance: '30.00',
        },
      },
      {
        type: 'withdrawal.pending',
        payload: { ...about, providerPayoutId: sent.providerPayoutId },
      },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'WITHDRAWAL_COMMITTED', resource: one.id },
      { action: 'WITHDRAWAL_PENDING', resource: one.id },
    ]);
  });

  it('goes to a bank where the destination is one', async () => {
    const one = await payeeWith(world, market);
    const destination = { type: 'bank', ref: 'DE00 1234' } as const;
    const id = await createdBy(world, market, one, { destination });
    expect((await commit(id)).status).toBe('WITHDRAWAL_PENDING');
    const record = await world.app.payments?.findPayout(id);
    expect(record).toMatchObject({ value: { recipient: { bankRef: 'DE00 1234' } } });
  });

  it('twice is refused with 409, and pays once', async () => {
    const one = await created();
    await commit(one.id);
    const { status, json } = await market.send('POST', `/withdrawals/${one.id}/commit`);
    expect([status, json.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(json.error.details).toMatchObject({ allowed: ['WITHDRAWAL_CREATED'] });
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit']);
  });

  it('by ten at once pays once', async () => {
    const one = await created();
    const path = `/withdrawals/${one.id}/commit`;
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => market.send('POST', path)),
    );
    const statuses = responses.map(({ status }) => status).sort((one, two) => one - two);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit']);
  });

  it('under one key returns the same bytes again', async () => {
    const one = await created();
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/withdrawals/${one.id}/commit`;
    const first = await market.send('POST', path, { headers });
    const again = await market.send('POST', path, { headers });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json.data).toEqual(first.json.data);
  });

  it('of a user who was suspended meanwhile is refused, and of another marketplace not found', async () => {
    const one = await created();
    const other = await world.market();
    expect((await refusalOf(commit(one.id, other.call))).code).toBe('WITHDRAWAL_NOT_FOUND');
    await world.rows(`update users set status = 'SUSPENDED' where id = $1`, [one.userId]);
    expect((await refusalOf(commit(one.id))).code).toBe('USER_NOT_ACTIVE');
    expect(await payoutEffects(world, one.id)).toEqual([]);
  });

  it('while payouts are paused sends nothing; payouts already sent continue', async () => {
    const [one, sent] = [
      await created(),
      await withdrawalIn(world, market, 'WITHDRAWAL_COMMITTED'),
    ];
    const call = systemCall(market.call.actor.marketplace);
    await transact(world.app, call, (tx) => pausePayouts(tx, 'why'));
    expect((await refusalOf(commit(one.id))).code).toBe('PAYOUTS_PAUSED');
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_CREATED');
    expect(await world.engine.runWorker()).toBe(0);
    expect(await statusOf(world, market, sent.id)).toBe('WITHDRAWAL_PENDING');
    await transact(world.app, call, (tx) => resumePayouts(tx, 'over', 'master'));
    expect((await commit(one.id)).status).toBe('WITHDRAWAL_PENDING');
  });
});

describe('the provider’s record', () => {
  it.each([
    ['COMPLETED', 'WITHDRAWAL_COMPLETED', '30.00 0.00'],
    ['FAILED', 'WITHDRAWAL_FAILED', '50.00 0.00'],
    ['CANCELED', 'WITHDRAWAL_CANCELED', '50.00 0.00'],
  ])('%s at once makes it %s', async (decided, status, left) => {
    const one = await created();
    await seedPayout(world, one, decided);
    expect((await commit(one.id)).status).toBe(status);
    expect(await holds(one)).toBe(left);
    expect((await entriesOf(world, one.id)).length).toBe(2);
  });

  it('that requires the recipient to act is reported', async () => {
    const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING_USER_ACTION');
    const { json } = await market.send('GET', `/withdrawals/${one.id}`);
    expect(json.data.data).toMatchObject({
      status: 'WITHDRAWAL_PENDING_USER_ACTION',
      actionRequired: expect.any(String),
    });
    expect(await holds(one)).toBe('30.00 20.00');
  });
});

describe('a lost reply', () => {
  it.each([
    ['payout.create', 'drop-after'],
    ['payout.create', 'drop-before'],
    ['payout.create', 'error-after'],
    ['payout.create', 'garbage'],
    ['payout.commit', 'drop-after'],
    ['payout.commit', 'drop-before'],
    ['payout.commit', 'error-before'],
    ['payout.commit', 'error-after'],
  ])('to %s by %s: the payout is sent, once', async (operation, kind) => {
    const one = await created();
    await world.sandbox.arm('payment', operation, kind);
    const response = await market.send('POST', `/withdrawals/${one.id}/commit`);
    expect([response.status, response.json.error.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
    expect(response.json.error.details.operationId).toMatch(/^op_/);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_PENDING');
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit']);
    expect(await holds(one)).toBe('30.00 20.00');
    expect((await refusalOf(commit(one.id))).code).toBe('INVALID_STATE');
  });
});

describe('a definite refusal', () => {
  it('of the creation gives the money back, once', async () => {
    const one = await created();
    await world.sandbox.arm('payment', 'payout.create', 'reject');
    const call = oneCall(market);
    const failed = await commit(one.id, call);
    expect(failed).toMatchObject({ status: 'WITHDRAWAL_FAILED', errorCode: 'unprocessable' });
    expect(await holds(one)).toBe('50.00 0.00');
    expect(await payoutEffects(world, one.id)).toEqual([]);
    expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([
      'withdrawal.committed',
      'balance.released',
      'withdrawal.failed',
    ]);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await entriesOf(world, one.id)).toEqual([
      'withdrawal_hold 20.00',
      'withdrawal_hold_return 20.00',
    ]);
  });

  it('of the commit gives it back too, and the payout cannot be committed later', async () => {
    const one = await created();
    await world.sandbox.arm('payment', 'payout.commit', 'reject');
    expect((await commit(one.id)).status).toBe('WITHDRAWAL_FAILED');
    expect(await holds(one)).toBe('50.00 0.00');
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'cancel']);
    expect(await entriesOf(world, one.id)).toHaveLength(2);
  });

  it('because our balance there is too low', async () => {
    const one = await created();
    await world.sandbox.control('POST', '/payment', { balance: '19.99' });
    expect(await commit(one.id)).toMatchObject({
      status: 'WITHDRAWAL_FAILED',
      errorCode: 'balance-too-low',
    });
    await world.sandbox.control('POST', '/payment', { balance: '1000000.00' });
    expect(await holds(one)).toBe('50.00 0.00');
  });

  it('because our id names another payout there', async () => {
    const one = await created();
    const note = 'not ours';
    const payout = { code: one.id, recipient: { email: one.email }, amountMinor: 1999n, note };
    await world.app.payments?.createPayout(payout);
    expect(await commit(one.id)).toMatchObject({
      status: 'WITHDRAWAL_FAILED',
      errorCode: 'code-conflict',
    });
    expect(await payoutEffects(world, one.id)).toEqual(['create']);
  });
});
