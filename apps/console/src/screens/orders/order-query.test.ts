import { describe, expect, it } from 'vitest';
import { orderQuery } from '#screens/orders/order-query.ts';

describe('the query of a list of orders', () => {
  it('says what the address says', () => {
    const buyerId = `usr_${'0'.repeat(27)}`;
    const state = { status: 'DISPUTED', buyerId, amountFrom: '10', createdAfter: '2026-11-01' };
    expect(orderQuery(state)).toEqual({
      status: 'DISPUTED',
      buyerId,
      amountFrom: '10.00',
      createdAfter: '2026-11-01T00:00:00.000Z',
    });
  });

  it('leaves out what is still being typed, and what nobody knows', () => {
    const state = {
      status: 'LOST',
      buyerId: 'usr_0',
      amountTo: '1.',
      createdBefore: '2026',
      x: 'y',
    };
    expect(orderQuery(state)).toEqual({});
  });
});
