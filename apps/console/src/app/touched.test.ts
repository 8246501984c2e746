import { describe, expect, it } from 'vitest';
import { idsIn, isTouched } from '#app/touched.ts';

const order = `ord_${'1'.repeat(27)}`;
const other = `ord_${'2'.repeat(27)}`;
const buyer = `usr_${'3'.repeat(27)}`;
const market = `mkt_${'4'.repeat(27)}`;

describe('an event', () => {
  it('names its aggregate and every id in its payload', () => {
    const payload = { orderId: order, buyerId: buyer, title: 'x', amount: '1.00', parts: [1] };
    expect(idsIn({ aggregateId: order, payload })).toEqual([order, order, buyer]);
  });

  it('touches the page of what it names, and no other', () => {
    const ids = new Set([order, buyer]);
    expect(isTouched(['Order', market, order, 'timeline'], ids)).toBe(true);
    expect(isTouched(['User', market, buyer], ids)).toBe(true);
    expect(isTouched(['Order', market, other, 'timeline'], ids)).toBe(false);
  });

  it('touches every list', () => {
    expect(isTouched(['Order', market, 'table', { status: 'CLOSED' }], new Set())).toBe(true);
  });
});
