//! Advances an order from its current state, one call at a time.

import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import type { Holdfast, Order } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';
import { give, personNamed } from './people.ts';
import type { ScenarioContext } from './scenario.ts';

export interface OrderInput {
  readonly title: string;
  readonly buyer?: string;
  readonly seller?: string;
  /** The same reference is the same order; a new one when absent. */
  readonly clientOrderRef?: string;
  readonly milestones?: readonly { ref: string; title: string; amount: string }[];
}

/** References of orders that are created for one scenario; their buyers are given the money. */
const SCENARIO_PREFIX = 'scenario-';

/** Agreed, and the buyer has the money for it. */
export async function createOrder(context: ScenarioContext, input: OrderInput): Promise<Order> {
  const { holdfast, amount } = context;
  const [buyer, seller] = await Promise.all([
    personNamed(context, input.buyer ?? 'ada'),
    personNamed(context, input.seller ?? 'bob'),
  ]);
  const {
    title,
    milestones,
    clientOrderRef = `${SCENARIO_PREFIX}${newId('ord', systemClock.now()).slice(-12)}`,
  } = input;
  const order = await holdfast.orders.create({
    buyerId: buyer.id,
    sellerId: seller.id,
    amount,
    title,
    clientOrderRef,
    ...(milestones === undefined ? {} : { milestones }),
  });
  context.report(`${order.id}: ${title}, ${order.amount} ${order.currency}`);
  if (clientOrderRef.startsWith(SCENARIO_PREFIX)) await give(context, buyer, amount);
  return order;
}

interface Step {
  readonly summary: string;
  readonly take: (holdfast: Holdfast, id: string) => Promise<Order>;
}

const STEPS: Readonly<Record<string, Step>> = {
  ORDER_CREATED: {
    summary: "buyer's funds reserved",
    take: (holdfast, id) => holdfast.orders.reserve(id),
  },
  FUNDS_RESERVED: {
    summary: 'escrow contract deployed',
    take: (holdfast, id) => holdfast.orders.createEscrow(id),
  },
  // The network may return the contract's id a moment later.
  ESCROW_CREATING: {
    summary: 'contract id received',
    take: (holdfast, id) => holdfast.orders.waitFor(id, 'ESCROW_FUNDING'),
  },
  ESCROW_FUNDING: {
    summary: 'escrow funded',
    take: (holdfast, id) => holdfast.orders.fundEscrow(id),
  },
};

export type Goal = 'FUNDS_RESERVED' | 'ESCROW_FUNDING' | 'IN_PROGRESS';

const ROAD = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
];

/** An order past the goal stays where it is. */
export async function advanceTo(
  context: ScenarioContext,
  order: Order,
  goal: Goal,
): Promise<Order> {
  let now = order;
  while (ROAD.includes(now.status) && ROAD.indexOf(now.status) < ROAD.indexOf(goal)) {
    const step = STEPS[now.status];
    if (step === undefined) break;
    const next = await step.take(context.holdfast, now.id);
    if (next.status === now.status)
      throw new CommandFault(`the scenario stopped: ${now.id} is still ${now.status}`, {
        exit: 'failed',
        code: 'SCENARIO_FAILED',
        fix: 'diagnose with `holdfast doctor`',
      });
    context.report(step.summary);
    now = next;
  }
  return now;
}

export async function orderInProgress(context: ScenarioContext, input: OrderInput): Promise<Order> {
  return advanceTo(context, await createOrder(context, input), 'IN_PROGRESS');
}
