import type { Operation, Order } from '@holdfast/sdk';
import { describe, expect, it } from 'vitest';
import { payOf } from '#screens/order/milestone-pay.ts';

const AT = '2026-01-01T00:00:00.000Z';

function order(contractType: 'SINGLE_RELEASE' | 'MULTI_RELEASE', rest: object = {}) {
  const escrow = { contractType, releasedAt: null, refundedAt: null };
  return { escrow, closeReason: null, dispute: null, ...rest } as unknown as Order;
}

function operation(kind: string, done: readonly string[], open: readonly string[] = []) {
  const steps = [
    ...done.map((name) => ({ name, status: 'DONE', at: AT })),
    ...open.map((name) => ({ name, status: 'CLAIMED', at: AT })),
  ];
  return { id: 'op_1', kind, steps } as unknown as Operation;
}

describe('a contract of several releases', () => {
  it('shows what was paid while the rest is not', () => {
    const releasing = operation('release-order', ['approve-2', 'release-1'], ['release-2']);
    const paid = payOf(order('MULTI_RELEASE'), [releasing], 0);
    expect(paid).toEqual({ words: 'Paid to seller', at: AT, operationId: 'op_1' });
    expect(payOf(order('MULTI_RELEASE'), [releasing], 1)).toBeUndefined();
  });

  it('does not mistake the tenth milestone for the first', () => {
    const releasing = operation('release-order', ['release-10']);
    expect(payOf(order('MULTI_RELEASE'), [releasing], 0)).toBeUndefined();
    expect(payOf(order('MULTI_RELEASE'), [releasing], 9)).toBeDefined();
  });

  it('shows whom a resolution paid', () => {
    const refunding = operation('refund-order', ['dispute-1', 'resolve-1']);
    expect(payOf(order('MULTI_RELEASE'), [refunding], 0)?.words).toBe('Refunded to buyer');
    const deciding = operation('resolve-dispute', ['resolve-1']);
    const split = order('MULTI_RELEASE', { dispute: { resolutionDecision: 'SPLIT' } });
    expect(payOf(split, [deciding], 0)?.words).toBe('Split by dispute decision');
    expect(payOf(order('MULTI_RELEASE'), [deciding], 0)?.words).toBe('Paid by dispute decision');
  });
});

describe('a contract of one release', () => {
  it('pays all milestones at once, at the end', () => {
    const releasing = operation('release-order', ['release']);
    expect(payOf(order('SINGLE_RELEASE'), [releasing], 0)).toBeUndefined();
    const escrow = { contractType: 'SINGLE_RELEASE', releasedAt: AT, refundedAt: null };
    const closed = order('SINGLE_RELEASE', { escrow, closeReason: 'RELEASED' });
    expect(payOf(closed, [releasing], 0)).toEqual({
      words: 'Paid to seller',
      at: AT,
      operationId: null,
    });
  });

  it('pays nothing where the order was canceled', () => {
    expect(payOf(order('SINGLE_RELEASE', { closeReason: 'CANCELED' }), [], 0)).toBeUndefined();
  });
});
