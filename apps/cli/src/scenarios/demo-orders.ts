//! The orders of the demo marketplace: one in every state in which an order can rest.
import type { Order } from '@holdfast/sdk';
import { moneyParts } from './money-parts.ts';
import { agree, bringTo, type Goal } from './order-steps.ts';
import { houseOf } from './order-stories.ts';
import type { Stage } from './stage.ts';

export interface DemoOrder {
  /** The same order on every run. */
  readonly clientOrderRef: string;
  readonly title: string;
  readonly buyer: string;
  readonly seller: string;
  readonly amount: string;
  readonly hasMilestones?: true;
  readonly goal?: Goal;
  /** What happens to it once it is in progress. */
  readonly end?: (stage: Stage, order: Order) => Promise<unknown>;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const DEMO_ORDERS: readonly DemoOrder[] = [
  { clientOrderRef: 'demo-lamp', title: 'A reading lamp', buyer: 'ada', seller: 'bob', amount: '45.00' },
  { clientOrderRef: 'demo-desk', title: 'A standing desk', buyer: 'ada', seller: 'bob', amount: '420.00', goal: 'FUNDS_RESERVED' },
  { clientOrderRef: 'demo-logo', title: 'A logo', buyer: 'ada', seller: 'flo', amount: '300.00', goal: 'IN_PROGRESS', end: release },
  { clientOrderRef: 'demo-shelf', title: 'A book shelf', buyer: 'cyd', seller: 'bob', amount: '180.00', goal: 'ESCROW_FUNDING' },
  { clientOrderRef: 'demo-table', title: 'An oak table', buyer: 'cyd', seller: 'bob', amount: '960.00', goal: 'IN_PROGRESS' },
  { clientOrderRef: 'demo-vase', title: 'A vase', buyer: 'cyd', seller: 'eve', amount: '75.00', goal: 'FUNDS_RESERVED', end: cancel },
  { clientOrderRef: 'demo-house', title: 'A garden house', buyer: 'dan', seller: 'bob', amount: '2400.00', hasMilestones: true, goal: 'IN_PROGRESS', end: startWork },
  { clientOrderRef: 'demo-chair', title: 'A rocking chair', buyer: 'dan', seller: 'eve', amount: '210.00', goal: 'IN_PROGRESS', end: refund },
  { clientOrderRef: 'demo-bike', title: 'A used bicycle', buyer: 'dan', seller: 'flo', amount: '150.00', goal: 'IN_PROGRESS', end: dispute },
  { clientOrderRef: 'demo-mural', title: 'A mural', buyer: 'gil', seller: 'flo', amount: '800.00', goal: 'IN_PROGRESS', end: review },
  { clientOrderRef: 'demo-sofa', title: 'A sofa', buyer: 'gil', seller: 'eve', amount: '640.00', goal: 'IN_PROGRESS', end: split },
];

export async function playDemoOrder(stage: Stage, wish: DemoOrder): Promise<void> {
  const { title, buyer, seller, clientOrderRef, hasMilestones, amount } = wish;
  const parts = hasMilestones ? { milestones: houseOf(amount).milestones } : {};
  const own = { ...stage, amount };
  const order = await agree(own, { title, buyer, seller, clientOrderRef, ...parts });
  if (wish.goal === undefined) return;
  const now = await bringTo(own, order, wish.goal);
  // On a later run it is past this already.
  if (now.status === wish.goal && wish.end) await wish.end(own, now);
}

async function release({ holdfast }: Stage, { id }: Order): Promise<void> {
  await holdfast.orders.release(id);
}

async function refund({ holdfast }: Stage, { id }: Order): Promise<void> {
  await holdfast.orders.refund(id, { reason: 'Broken on the way' });
}

async function cancel({ holdfast }: Stage, { id }: Order): Promise<void> {
  await holdfast.orders.cancel(id, { reason: 'Bought elsewhere' });
}

async function startWork({ holdfast }: Stage, order: Order): Promise<void> {
  const [first] = order.milestones;
  if (first?.status === 'OPEN') await holdfast.milestones.complete(order.id, first.ref);
}

async function dispute({ holdfast }: Stage, { id: orderId }: Order): Promise<string> {
  const opened = await holdfast.orders.openDispute(orderId, {
    openedBy: 'BUYER',
    reason: 'NOT_DELIVERED',
  });
  return opened.id;
}

async function review(stage: Stage, order: Order): Promise<string> {
  const id = await dispute(stage, order);
  await stage.holdfast.disputes.assign(id, { assignedTo: 'agent-7' });
  return id;
}

async function split(stage: Stage, order: Order): Promise<void> {
  const [releaseAmount, refundAmount] = moneyParts(order.amount, 70);
  await stage.holdfast.disputes.resolve(await review(stage, order), {
    decision: 'SPLIT',
    releaseAmount,
    refundAmount,
    note: 'One cushion was missing.',
  });
}
