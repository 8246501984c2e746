//! Checks of promises: finds every reported state that no longer holds at the end.
import { expect, it } from 'vitest';
import type { SeenOrder } from './order.ts';
import { brokenPromises } from './promises.ts';
import { anOrder, SPLIT_DISPUTE } from './testing/seen-order.ts';

const FUNDED = { id: 'esc_1', status: 'FUNDED', providerContractId: 'C1' };
const atWork = anOrder({ status: 'IN_PROGRESS', closeReason: null, escrow: FUNDED });
const deployed = anOrder({
  status: 'ESCROW_FUNDING',
  closeReason: null,
  escrow: { ...FUNDED, status: 'CREATED' },
});
const split = anOrder({ closeReason: 'SPLIT', dispute: SPLIT_DISPUTE });

const found = (reported: SeenOrder, final?: SeenOrder) =>
  brokenPromises(
    [{ by: 'release', order: reported }],
    new Map(final === undefined ? [] : [[final.id, final]]),
  );

it.each<[string, SeenOrder, SeenOrder]>([
  ['an unchanged order', anOrder(), anOrder()],
  ['an order that moved forward', atWork, anOrder()],
  ['a release that was refused', anOrder({ ...atWork, status: 'RELEASE_REQUESTED' }), atWork],
  [
    'an escrow that was abandoned unfunded',
    deployed,
    { ...atWork, escrow: { ...FUNDED, id: 'e2' } },
  ],
])('accepts %s', (_, reported, final) => {
  expect(found(reported, final)).toEqual([]);
});

it.each<[string, SeenOrder, SeenOrder | undefined, RegExp]>([
  ['a missing order', anOrder(), undefined, /is gone/],
  ['a closed order that is open', anOrder(), atWork, /CLOSED, and it is IN_PROGRESS/],
  ['another ending', anOrder(), anOrder({ closeReason: 'REFUNDED' }), /RELEASED, not REFUNDED/],
  ['another amount', atWork, anOrder({ amount: '99.00' }), /100.00, and it is 99.00/],
  ['another fee', atWork, anOrder({ fee: '4.00' }), /a fee of 5.00/],
  ['an open milestone', atWork, anOrder({ milestones: [{ ref: 'm1', status: 'OPEN' }] }), /m1/],
  ['a missing funded escrow', atWork, anOrder({ escrow: null }), /esc_1 FUNDED/],
  ['an escrow that moved backward', anOrder(), anOrder({ escrow: FUNDED }), /escrow RELEASED, and/],
  [
    'another contract',
    deployed,
    anOrder({ escrow: { ...FUNDED, providerContractId: 'C2' } }),
    /another contract/,
  ],
  ['a missing dispute', split, anOrder({ closeReason: 'SPLIT' }), /dsp_1, and it is gone/],
  [
    'a dispute that is open again',
    split,
    anOrder({ closeReason: 'SPLIT', dispute: { ...SPLIT_DISPUTE, status: 'OPEN' } }),
    /dispute RESOLVED, and it is OPEN/,
  ],
  [
    'another split',
    split,
    anOrder({ closeReason: 'SPLIT', dispute: { ...SPLIT_DISPUTE, releaseAmount: '46.00' } }),
    /SPLIT, not SPLIT/,
  ],
])('reports %s', (_, reported, final, text) => {
  expect(found(reported, final).join('\n')).toMatch(text);
});

it('checks a response that shows only a dispute', () => {
  const reported = [{ by: 'resolve', dispute: SPLIT_DISPUTE }];
  expect(brokenPromises(reported, new Map([['ord_1', split]]))).toEqual([]);
  expect(brokenPromises(reported, new Map([['ord_1', anOrder()]]))).toHaveLength(1);
});
