//! What was done outside too often, too seldom or for nobody is found.
import { expect, it } from 'vitest';
import type { JournalEntry } from '../auditor/journal.ts';
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
  ['nothing but set aside', reserved, []],
  ['payments apart', reserved, [{ seq: 1, effect: 'ledger.payment' }]],
])('%s has its effects', (_, order, journal) => {
  expect(wrongEffects([order], journal)).toEqual([]);
});

it.each<[string, SeenOrder, JournalEntry[], RegExp]>([
  ['twice', anOrder(), [...paid, entry('release')], /C1 .*took effect 2 times/],
  ['never', anOrder(), paid.slice(0, -1), /escrow.release 0 times, not 1/],
  ['both ways', anOrder(), [...paid, entry('dispute')], /escrow.dispute 1 times, not 0/],
  ['for nobody', reserved, [entry('deploy', { orderId: 'ord_9' })], /ord_9, which nobody/],
  ['elsewhere', anOrder(), [...paid, entry('fund', { contractId: 'C0' })], /given up/],
])('what was done %s is wrong', (_, order, journal, text) => {
  expect(wrongEffects([order], journal).join('\n')).toMatch(text);
});

it('parts of a contract are different things', () => {
  const milestones = [1, 2].map((at) => ({ ref: `m${at}`, status: 'COMPLETED' }));
  const parts = [0, 1].flatMap((milestoneIndex) =>
    ['status', 'approve', 'release'].map((name) => entry(name, { milestoneIndex })),
  );
  const journal = [entry('deploy'), entry('fund'), ...parts];
  expect(wrongEffects([anOrder({ milestones })], journal)).toEqual([]);
});
