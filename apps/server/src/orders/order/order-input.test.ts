import { describe, expect, it } from 'vitest';
import { type OrderInput, orderRequestHash, readOrderInput } from './order-input.ts';

const input: OrderInput = {
  buyerId: 'usr_ada',
  sellerId: 'usr_bo',
  amount: '100.00',
  title: 'A table',
};

const read = (changes: Record<string, unknown>) => readOrderInput({ ...input, ...changes }, 0);
const milestonesOf = (...amounts: string[]) =>
  amounts.map((amount, at) => ({ ref: `m${at}`, title: '', amount }));

function faultsOf(changes: Record<string, unknown>): string[] {
  try {
    read(changes);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    return (error as { details: { validationErrors: string[] } }).details.validationErrors;
  }
}

describe('the fee', () => {
  // Half a cent goes to the even cent, in both directions.
  it.each([
    ['100.00', undefined, '5.00'],
    ['10.10', undefined, '0.50'],
    ['10.30', undefined, '0.52'],
    ['10.50', undefined, '0.52'],
    ['10.70', undefined, '0.54'],
    ['100.20', 2.5, '2.50'],
    ['100.60', 2.5, '2.52'],
    ['99.99', '12.34', '12.34'],
    ['100.00', 0, '0.00'],
    ['100.00', 50, '50.00'],
    ['19.99', 0.01, '0.00'],
  ])('on %s at %s percent is %s', (amount, platformFee, fee) => {
    const metadata = platformFee === undefined ? { note: 'x' } : { platformFee };
    expect(read({ amount, metadata }).terms.fee.text).toBe(fee);
  });

  it.each([-1, 50.01, 51, 100, 5.001, 1e-7, Number.NaN, 'abc', '', '5%', {}, [], true, null])(
    'cannot be %j percent',
    (platformFee) => {
      expect(faultsOf({ metadata: { platformFee } })).toEqual([
        'metadata.platformFee must be 0 to 50 with at most two decimals',
      ]);
    },
  );
});

it.each(['0', '0.00', '-1.00', '1.001', '1e2', '', 'abc', ' 1.00', 'NaN', '+1.00', '01', '٣'])(
  'the amount cannot be %j',
  (amount) => {
    expect(faultsOf({ amount })).toEqual([
      'amount must be a positive decimal string with at most two places',
    ]);
  },
);

it('milestones sum to the amount, have refs of their own and amounts above zero', () => {
  expect(read({ milestones: milestonesOf('33.33', '33.33', '33.34') }).milestones).toHaveLength(3);
  expect(read({ milestones: [] }).milestones).toEqual([]);
  for (const amounts of [['33.33'], ['100.01'], ['50.00', '50.01']])
    expect(faultsOf({ milestones: milestonesOf(...amounts) })).toEqual([
      'milestones must add up to amount',
    ]);
  expect(faultsOf({ milestones: [...milestonesOf('50.00'), ...milestonesOf('50.00')] })).toEqual([
    'milestones.1.ref must be unique',
  ]);
  expect(faultsOf({ milestones: milestonesOf('100.00', '0.00') })).toEqual([
    'milestones.1.amount must be a positive decimal string with at most two places',
  ]);
});

it('reports all errors at once', () => {
  expect(
    faultsOf({
      sellerId: input.buyerId,
      amount: 'x',
      milestones: milestonesOf('y'),
      metadata: { platformFee: 51 },
    }),
  ).toHaveLength(4);
});

it('hashes the same for any spelling, and differently for any other term', () => {
  const hash = (changes: Record<string, unknown>) => orderRequestHash(read(changes));
  const same = hash({});
  expect(hash({ amount: '100', currency: 'USD', milestones: [], metadata: {} })).toBe(same);
  expect(hash({ metadata: { a: { y: 1, x: [2, 1] } } })).toBe(
    hash({ metadata: { a: { x: [2, 1], y: 1 } } }),
  );
  const others = [
    { buyerId: 'usr_cy' },
    { sellerId: 'usr_cy' },
    { amount: '100.01' },
    { currency: 'USDC' },
    { title: 'Another' },
    { description: '' },
    { milestones: milestonesOf('100.00') },
    { metadata: { a: [1, 2] } },
    { metadata: { a: [2, 1] } },
  ];
  expect(new Set([same, ...others.map(hash)]).size).toBe(others.length + 1);
});
