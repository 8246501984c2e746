//! Checks the external effects order by order: each as often as the order's final status requires.

import type { JournalEntry } from '../../auditor/journal.ts';
import { isSettled, type SeenOrder } from './order.ts';

type Effects = Readonly<Record<string, number>>;

export function wrongEffects(
  orders: readonly SeenOrder[],
  journal: readonly JournalEntry[],
): string[] {
  const ofContracts = journal.filter(({ effect }) => effect.startsWith('escrow.'));
  const byOrder = Map.groupBy(ofContracts, ({ orderId }) => orderId ?? '');
  const known = new Set(orders.map(({ id }) => id));
  const strange = [...byOrder.keys()].filter((id) => !known.has(id));
  return [
    ...strange.map((id) => `an effect for ${id}, which is not an order of this run`),
    ...repeats(ofContracts),
    ...orders.flatMap((order) => wrongOf(order, byOrder.get(order.id) ?? [])),
  ];
}

function repeats(entries: readonly JournalEntry[]): string[] {
  const once = Map.groupBy(entries, ({ effect, contractId, milestoneIndex }) =>
    [effect, contractId, milestoneIndex].join(' '),
  );
  return [...once]
    .filter(([, same]) => same.length > 1)
    .map(([name, same]) => `${name} took effect ${same.length} times`);
}

function wrongOf(order: SeenOrder, entries: readonly JournalEntry[]): string[] {
  const contractId = order.escrow?.providerContractId ?? null;
  // A contract that was deployed and then abandoned has one deployment, and no other effect.
  const [own, given] = [
    entries.filter((entry) => entry.contractId === contractId),
    entries.filter((entry) => entry.contractId !== contractId),
  ];
  const found = countOf(own);
  const expected = effectsOf(order);
  const names = [...new Set([...Object.keys(found), ...Object.keys(expected)])];
  return [
    ...given
      .filter(({ effect }) => effect !== 'escrow.deploy')
      .map(({ effect }) => `${order.id}: ${effect} on an abandoned contract`),
    ...names
      .filter((name) => (found[name] ?? 0) !== (expected[name] ?? 0))
      .map((name) => `${order.id}: ${name} ${found[name] ?? 0} times, not ${expected[name] ?? 0}`),
  ];
}

function countOf(entries: readonly JournalEntry[]): Effects {
  const counts: Record<string, number> = {};
  for (const { effect } of entries) counts[effect] = (counts[effect] ?? 0) + 1;
  return counts;
}

function effectsOf(order: SeenOrder): Effects {
  const parts = Math.max(1, order.milestones.length);
  if (order.escrow === null) return {};
  const deployed = { 'escrow.deploy': 1 };
  if (order.status === 'ESCROW_FUNDING') return deployed;
  const funded = { ...deployed, 'escrow.fund': 1 };
  if (!isSettled(order)) return funded;
  if (order.closeReason === 'RELEASED')
    return { ...funded, 'escrow.status': parts, 'escrow.approve': parts, 'escrow.release': parts };
  return { ...funded, 'escrow.dispute': parts, 'escrow.resolve': parts };
}
