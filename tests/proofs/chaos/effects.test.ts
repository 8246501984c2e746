//! Checks of external effects: finds effects that happened too often, too rarely or for no order.
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../auditor/journal.ts';
import { wrongEffects } from './effects.ts';
import type { SeenOrder } from './order.ts';
import { anOrder } from './testing/seen-order.ts';

const entry = (name: string, changes: Partial<JournalEntry> = {}): JournalEntry => ({
  seq: 1,
  effect: `escrow.${name}`,
  orderId: 'ord_1',
  contractId: 'C1',
  ...changes,
});
const paid = ['deploy', 'fund', 'status', 'approve', 'release'].map((name) => entry(name));
const shared = ['deploy', 'fund', 'dispute', 'resolve'].map((name) => entry(name));
const reserved = anOrder({ status: 'FUNDS_RESERVED', closeReason: null, escrow: null });

it.each<[string, SeenOrder, JournalEntry[]]>([
  ['a release', anOrder(), paid],
  ['a refund', anOrder({ closeReason: 'REFUNDED' }), shared],
  ['a contract given up before', anOrder(), [entry('deploy', { contractId: 'C0' }), ...paid]],
  ['a reserved order', reserved, []],
  ['an order beside other payments', reserved, [{ seq: 1, effect: 'ledger.payment' }]],
])('accepts the effects of %s', (_, order, journal) => {
  expect(wrongEffects([order], journal)).toEqual([]);
});

it.each<[string, SeenOrder, JournalEntry[], RegExp]>([
  ['that happened twice', anOrder(), [...paid, entry('release')], /C1 .*took effect 2 times/],
  ['that never happened', anOrder(), paid.slice(0, -1), /escrow.release 0 times, not 1/],
  ['of another ending', anOrder(), [...paid, entry('dispute')], /escrow.dispute 1 times, not 0/],
  [
    'for an unknown order',
    reserved,
    [entry('deploy', { orderId: 'ord_9' })],
    /ord_9, which is not/,
  ],
  [
    'on an abandoned contract',
    anOrder(),
    [...paid, entry('fund', { contractId: 'C0' })],
    /abandoned/,
  ],
])('reports an effect %s', (_, order, journal, text) => {
  expect(wrongEffects([order], journal).join('\n')).toMatch(text);
});

it('counts effects on different parts of a contract separately', () => {
  const milestones = [1, 2].map((at) => ({ ref: `m${at}`, status: 'COMPLETED' }));
  const parts = [0, 1].flatMap((milestoneIndex) =>
    ['status', 'approve', 'release'].map((name) => entry(name, { milestoneIndex })),
  );
  const journal = [entry('deploy'), entry('fund'), ...parts];
  expect(wrongEffects([anOrder({ milestones })], journal)).toEqual([]);
});
