import { describe, expect, it } from 'vitest';
import { statePath } from '#screens/order/state-path.ts';
import { ORDER_STATES } from '#screens/orders/order-states.ts';

const now = (path: ReturnType<typeof statePath>) =>
  path.filter(({ is }) => is === 'now').map(({ state }) => state);

describe('the path of an order', () => {
  it('has every state on it while the order is in that state', () => {
    for (const status of ORDER_STATES) {
      const dispute = status === 'DISPUTED' ? { resolutionDecision: null } : null;
      expect(now(statePath({ status, closeReason: null, dispute })), status).toEqual([status]);
    }
  });

  it('goes through the dispute if there was one', () => {
    const dispute = { resolutionDecision: 'FULL_REFUND' } as const;
    const path = statePath({ status: 'CLOSED', closeReason: 'REFUNDED', dispute });
    expect(path.map(({ state }) => state).slice(-3)).toEqual(['DISPUTED', 'REFUNDED', 'CLOSED']);
    expect(path.every(({ is }) => is !== 'ahead')).toBe(true);
  });

  it('is short for an order that was given up', () => {
    const path = statePath({ status: 'CLOSED', closeReason: 'CANCELED', dispute: null });
    expect(path.map(({ state }) => state)).toEqual(['ORDER_CREATED', 'CLOSED']);
  });
});
