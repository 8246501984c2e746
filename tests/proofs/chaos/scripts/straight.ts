//! Scripts that lead straight to one end: released, refunded, canceled, or decided in a dispute.
import {
  type Branches,
  cancel,
  complete,
  completeThen,
  decide,
  dispute,
  refund,
  release,
  road,
} from '../actions.ts';
import { create, expectEnd, type Life, walk } from '../life.ts';
import { amountText, type SeenOrder } from '../order.ts';
import type { Plan } from '../plan.ts';

type Script = (life: Life) => Promise<void>;

/** The order must close for this reason. */
function straight(closeReason: string, branchesOf: (plan: Plan) => Branches): Script {
  return async (life) => {
    const order = await create(life);
    expectEnd(life, await walk(life, order, road(branchesOf(life.plan))), closeReason);
  };
}

export const happy = straight('RELEASED', () => ({ atWork: completeThen(release) }));

/** Before there is an escrow: without and with a reservation. */
const neverAtWork: Branches = { atWork: () => 'end' };
export const cancelAtOnce = straight('CANCELED', () => ({ ...neverAtWork, created: cancel }));
export const cancelReserved = straight('CANCELED', () => ({ ...neverAtWork, reserved: cancel }));

/** Perhaps after the first milestone is completed. */
export const refundAtWork = straight('REFUNDED', ({ random }) => {
  const isStarted = random.percent(50);
  const atWork = (seen: SeenOrder) => {
    const first = seen.milestones[0];
    const isDue = isStarted && first !== undefined && first.status !== 'COMPLETED';
    return isDue ? complete(seen, first.ref) : refund(seen);
  };
  return { atWork };
});

const disputed = (closeReason: string, decisionOf: (plan: Plan) => object) =>
  straight(closeReason, (plan) => ({ atWork: dispute, disputed: decide(decisionOf(plan)) }));

export const disputeRelease = disputed('RELEASED', () => ({ decision: 'FULL_RELEASE' }));
export const disputeRefund = disputed('REFUNDED', () => ({ decision: 'FULL_REFUND' }));
export const disputeSplit = disputed('SPLIT', splitOf);

/** To the cent, and each side gets something. */
export function splitOf({ amount, random }: Plan): object {
  const released = BigInt(1 + random.below(Number(amount) - 1));
  return {
    decision: 'SPLIT',
    releaseAmount: amountText(released),
    refundAmount: amountText(amount - released),
  };
}
