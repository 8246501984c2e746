//! The orders of the demo marketplace: one in every state in which an order can rest.
import type { Order } from '@holdfast/sdk';
import { houseOf } from './order-scenarios.ts';
import { advanceTo, createOrder, type Goal } from './order-steps.ts';
import type { ScenarioContext } from './scenario.ts';
import { splitAmount } from './split-amount.ts';

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
  readonly end?: (context: ScenarioContext, order: Order) => Promise<unknown>;
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

export async function runDemoOrder(context: ScenarioContext, input: DemoOrder): Promise<void> {
  const { title, buyer, seller, clientOrderRef, hasMilestones, amount } = input;
  const parts = hasMilestones ? { milestones: houseOf(amount).milestones } : {};
  const own = { ...context, amount };
  const order = await createOrder(own, { title, buyer, seller, clientOrderRef, ...parts });
  if (input.goal === undefined) return;
  const now = await advanceTo(own, order, input.goal);
  // On a later run it is past this already.
  if (now.status === input.goal && input.end) await input.end(own, now);
}

async function release({ holdfast }: ScenarioContext, { id }: Order): Promise<void> {
  await holdfast.orders.release(id);
}

async function refund({ holdfast }: ScenarioContext, { id }: Order): Promise<void> {
  await holdfast.orders.refund(id, { reason: 'Damaged in transit' });
}

async function cancel({ holdfast }: ScenarioContext, { id }: Order): Promise<void> {
  await holdfast.orders.cancel(id, { reason: 'Bought elsewhere' });
}

async function startWork({ holdfast }: ScenarioContext, order: Order): Promise<void> {
  const [first] = order.milestones;
  if (first?.status === 'OPEN') await holdfast.milestones.complete(order.id, first.ref);
}

async function dispute({ holdfast }: ScenarioContext, { id: orderId }: Order): Promise<string> {
  const opened = await holdfast.orders.openDispute(orderId, {
    openedBy: 'BUYER',
    reason: 'NOT_DELIVERED',
  });
  return opened.id;
}

async function review(context: ScenarioContext, order: Order): Promise<string> {
  const id = await dispute(context, order);
  await context.holdfast.disputes.assign(id, { assignedTo: 'agent-7' });
  return id;
}

async function split(context: ScenarioContext, order: Order): Promise<void> {
  const [releaseAmount, refundAmount] = splitAmount(order.amount, 70);
  await context.holdfast.disputes.resolve(await review(context, order), {
    decision: 'SPLIT',
    releaseAmount,
    refundAmount,
    note: 'One cushion was missing.',
  });
}
