//! Brings an order forward, one call at a time, from wherever it is.

import { newId } from '@holdfast/kernel/ids';
import type { Holdfast, Order } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';
import { give, personNamed } from './people.ts';
import type { Stage } from './stage.ts';

export interface OrderWish {
  readonly title: string;
  readonly buyer?: string;
  readonly seller?: string;
  /** The same reference is the same order; a new one when absent. */
  readonly clientOrderRef?: string;
  readonly milestones?: readonly { ref: string; title: string; amount: string }[];
}

/** References of orders that are made for one story; their buyers are given the money. */
const STORY = 'story-';

/** Agreed, and the buyer has the money for it. */
export async function agree(stage: Stage, wish: OrderWish): Promise<Order> {
  const { holdfast, amount } = stage;
  const [buyer, seller] = await Promise.all([
    personNamed(stage, wish.buyer ?? 'ada'),
    personNamed(stage, wish.seller ?? 'bob'),
  ]);
  const { title, milestones, clientOrderRef = `${STORY}${newId('ord').slice(-12)}` } = wish;
  const order = await holdfast.orders.create({
    buyerId: buyer.id,
    sellerId: seller.id,
    amount,
    title,
    clientOrderRef,
    ...(milestones === undefined ? {} : { milestones }),
  });
  stage.tell(`${order.id}: ${title}, ${order.amount} ${order.currency}`);
  if (clientOrderRef.startsWith(STORY)) await give(stage, buyer, amount);
  return order;
}

interface Step {
  readonly tells: string;
  readonly take: (holdfast: Holdfast, id: string) => Promise<Order>;
}

const STEPS: Readonly<Record<string, Step>> = {
  ORDER_CREATED: {
    tells: "the buyer's money is set aside",
    take: (holdfast, id) => holdfast.orders.reserve(id),
  },
  FUNDS_RESERVED: {
    tells: 'the escrow contract is deployed',
    take: (holdfast, id) => holdfast.orders.createEscrow(id),
  },
  // The network may tell the contract's id a moment later.
  ESCROW_CREATING: {
    tells: 'the contract is known',
    take: (holdfast, id) => holdfast.orders.waitFor(id, 'ESCROW_FUNDING'),
  },
  ESCROW_FUNDING: {
    tells: 'the contract holds the money',
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

/** What is past the goal stays where it is. */
export async function bringTo(stage: Stage, order: Order, goal: Goal): Promise<Order> {
  let now = order;
  while (ROAD.includes(now.status) && ROAD.indexOf(now.status) < ROAD.indexOf(goal)) {
    const step = STEPS[now.status];
    if (step === undefined) break;
    const next = await step.take(stage.holdfast, now.id);
    if (next.status === now.status)
      throw new CommandFault(`${now.id} stays ${now.status}`, { exit: 'failed', code: 'STORY' });
    stage.tell(step.tells);
    now = next;
  }
  return now;
}

export async function orderInProgress(stage: Stage, wish: OrderWish): Promise<Order> {
  return bringTo(stage, await agree(stage, wish), 'IN_PROGRESS');
}
