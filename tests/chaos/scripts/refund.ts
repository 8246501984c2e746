//! Funded, perhaps some milestones completed, and refunded.
import { complete, refund, road } from '../actions.ts';
import { create, expectEnd, type Life, walk } from '../life.ts';
import type { SeenOrder } from '../order.ts';

export async function refundAtWork(life: Life): Promise<void> {
  const order = await create(life);
  const isStarted = life.plan.random.percent(50);
  const atWork = (seen: SeenOrder) => {
    const first = seen.milestones[0];
    const isDue = isStarted && first !== undefined && first.status !== 'COMPLETED';
    return isDue ? complete(seen, first.ref) : refund(seen);
  };
  expectEnd(life, await walk(life, order, road({ atWork })), 'REFUNDED');
}
