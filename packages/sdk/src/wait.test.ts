import { afterEach, describe, expect, it } from 'vitest';
import { ClientFixture } from './testing/client-fixture.ts';
import { data, type Responder, refusal } from './testing/stand-in.ts';

const service = new ClientFixture();
afterEach(() => service.stop());
const against = (...responders: readonly Responder[]) => service.against(responders);

const order = (status: string, escrow: string | null = null) =>
  data({ id: 'ord_1', status, escrow: escrow === null ? null : { status: escrow } });
const requested = () =>
  service.seen.map(({ method, url }) => `${method} ${url.slice('/api/v1'.length)}`);

describe('waitFor', () => {
  it('polls until the state is reached', async () => {
    const holdfast = await against(order('IN_PROGRESS'), order('RELEASED'), order('CLOSED'));
    expect((await holdfast.orders.waitFor('ord_1', 'CLOSED')).status).toBe('CLOSED');
    expect(requested()).toHaveLength(3);
  });

  it('takes one of several states', async () => {
    const holdfast = await against(data({ status: 'TOPUP_FAILED' }));
    const topup = await holdfast.topups.waitFor('topup_1', ['TOPUP_SUCCEEDED', 'TOPUP_FAILED']);
    expect(topup.status).toBe('TOPUP_FAILED');
  });

  it('does not wait for what will never come', async () => {
    const holdfast = await against(data({ status: 'WITHDRAWAL_FAILED' }));
    const waiting = holdfast.withdrawals.waitFor('wd_1', 'WITHDRAWAL_COMPLETED');
    await expect(waiting).rejects.toMatchObject({
      code: 'STATE_NOT_REACHED',
      details: { state: 'WITHDRAWAL_FAILED', wanted: ['WITHDRAWAL_COMPLETED'] },
    });
    expect(requested()).toHaveLength(1);
  });

  it('gives up in time, and says where it stands', async () => {
    const holdfast = await against(order('IN_PROGRESS'));
    const waiting = holdfast.orders.waitFor('ord_1', 'CLOSED', { timeoutMs: 250, pollMs: 50 });
    await expect(waiting).rejects.toMatchObject({
      code: 'WAIT_TIMED_OUT',
      message: 'Order ord_1 is still IN_PROGRESS after 250 ms; expected CLOSED.',
    });
  });

  it('ends with its signal', async () => {
    const holdfast = await against(order('IN_PROGRESS'));
    const signal = AbortSignal.timeout(150);
    await expect(holdfast.orders.waitFor('ord_1', 'CLOSED', { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  it('waits for the end of an operation, in any final state', async () => {
    const holdfast = await against(data({ status: 'ESCALATED' }), data({ status: 'REFUSED' }));
    expect((await holdfast.operations.waitFor('op_1')).status).toBe('REFUSED');
  });
});

describe('checkout', () => {
  it('continues from the state of the order', async () => {
    const holdfast = await against(order('ESCROW_FUNDING', 'CREATED'), order('IN_PROGRESS'));
    await holdfast.orders.checkout('ord_1');
    expect(requested()).toEqual(['GET /orders/ord_1', 'POST /orders/ord_1/escrow/fund']);
  });

  it('waits while money is on its way already', async () => {
    const holdfast = await against(
      order('ESCROW_FUNDING', 'FUNDING'),
      order('ESCROW_FUNDING', 'FUNDING'),
      order('IN_PROGRESS'),
    );
    await holdfast.orders.checkout('ord_1');
    expect(requested()).toEqual(Array(3).fill('GET /orders/ord_1'));
  });

  it('waits for an operation with an unknown outcome, and sends no call twice', async () => {
    const holdfast = await against(
      order('FUNDS_RESERVED'),
      refusal(504, 'PROVIDER_TIMEOUT', { operationId: 'op_1' }),
      data({ status: 'RUNNING' }),
      data({ status: 'DONE' }),
      order('IN_PROGRESS'),
    );
    await holdfast.orders.checkout('ord_1');
    expect(requested().filter((line) => line.startsWith('POST'))).toEqual([
      'POST /orders/ord_1/escrow',
    ]);
  });

  it('accepts that another caller was faster', async () => {
    const holdfast = await against(
      order('ORDER_CREATED'),
      refusal(400, 'INVALID_STATE', { resource: 'order', state: 'FUNDS_RESERVED' }),
      order('IN_PROGRESS'),
    );
    expect((await holdfast.orders.checkout('ord_1')).status).toBe('IN_PROGRESS');
  });

  it('throws the refusal of an operation', async () => {
    const holdfast = await against(
      order('ESCROW_FUNDING', 'CREATED'),
      refusal(504, 'PROVIDER_TIMEOUT', { operationId: 'op_1' }),
      data({ id: 'op_1', status: 'REFUSED', refusalCode: 'ESCROW_FUNDING_FAILED' }),
    );
    await expect(holdfast.orders.checkout('ord_1')).rejects.toMatchObject({
      code: 'ESCROW_FUNDING_FAILED',
      isOutcomeKnown: true,
    });
  });

  it('does not go round when the order does not move, or goes back', async () => {
    const stuck = refusal(400, 'INVALID_STATE', { state: 'FUNDS_RESERVED', reason: 'no account' });
    const holdfast = await against(order('FUNDS_RESERVED'), stuck, order('FUNDS_RESERVED'));
    await expect(holdfast.orders.checkout('ord_1')).rejects.toMatchObject({
      code: 'INVALID_STATE',
      details: { reason: 'no account' },
    });
    await service.stop();
    const back = await against(
      order('FUNDS_RESERVED'),
      order('ESCROW_FUNDING', 'FUNDING'),
      order('FUNDS_RESERVED'),
    );
    await expect(back.orders.checkout('ord_1')).rejects.toMatchObject({
      code: 'STATE_NOT_REACHED',
    });
  });

  it('throws a refusal for another reason', async () => {
    const holdfast = await against(
      order('ORDER_CREATED'),
      refusal(422, 'INSUFFICIENT_FUNDS', { available: '0.00' }),
    );
    await expect(holdfast.orders.checkout('ord_1')).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    });
    await service.stop();
    const closed = await against(order('CLOSED'));
    await expect(closed.orders.checkout('ord_1')).rejects.toMatchObject({
      code: 'STATE_NOT_REACHED',
    });
  });
});
