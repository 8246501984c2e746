//! What was told and is not so any more is found, whatever it was.
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

const found = (told: SeenOrder, final?: SeenOrder) =>
  brokenPromises(
    [{ by: 'release', order: told }],
    new Map(final === undefined ? [] : [[final.id, final]]),
  );

it.each<[string, SeenOrder, SeenOrder]>([
  ['what stays', anOrder(), anOrder()],
  ['what went on', atWork, anOrder()],
  ['a release that was refused', anOrder({ ...atWork, status: 'RELEASE_REQUESTED' }), atWork],
  [
    'an escrow that was given up unfunded',
    deployed,
    { ...atWork, escrow: { ...FUNDED, id: 'e2' } },
  ],
])('%s is kept', (_, told, final) => {
  expect(found(told, final)).toEqual([]);
});

it.each<[string, SeenOrder, SeenOrder | undefined, RegExp]>([
  ['an order that is gone', anOrder(), undefined, /is gone/],
  ['a closed one that is open', anOrder(), atWork, /CLOSED, and it is IN_PROGRESS/],
  ['another ending', anOrder(), anOrder({ closeReason: 'REFUNDED' }), /RELEASED, not REFUNDED/],
  ['another amount', atWork, anOrder({ amount: '99.00' }), /100.00, and it is 99.00/],
  ['another fee', atWork, anOrder({ fee: '4.00' }), /a fee of 5.00/],
  ['an open milestone', atWork, anOrder({ milestones: [{ ref: 'm1', status: 'OPEN' }] }), /m1/],
  ['a funded escrow that is gone', atWork, anOrder({ escrow: null }), /esc_1 FUNDED/],
  ['an escrow that went back', anOrder(), anOrder({ escrow: FUNDED }), /escrow RELEASED, and/],
  [
    'another contract',
    deployed,
    anOrder({ escrow: { ...FUNDED, providerContractId: 'C2' } }),
    /another contract/,
  ],
  ['a dispute that is gone', split, anOrder({ closeReason: 'SPLIT' }), /dsp_1, and it is gone/],
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
])('%s is a broken promise', (_, told, final, text) => {
  expect(found(told, final).join('\n')).toMatch(text);
});

it('what an answer told of a dispute alone counts as well', () => {
  const told = [{ by: 'resolve', dispute: SPLIT_DISPUTE }];
  expect(brokenPromises(told, new Map([['ord_1', split]]))).toEqual([]);
  expect(brokenPromises(told, new Map([['ord_1', anOrder()]]))).toHaveLength(1);
});
