//! The stories of a dispute.
import type { Dispute, ResolveDisputeInput } from '@holdfast/sdk';
import { moneyParts } from './money-parts.ts';
import { orderInProgress } from './order-steps.ts';
import type { Scenario, Stage } from './stage.ts';

const AMOUNT = '100.00';

const story = (tells: string, act: (stage: Stage) => Promise<Dispute>): Scenario => ({
  tells,
  amount: AMOUNT,
  play: async (stage) => {
    const { id, status, orderId } = await act(stage);
    stage.tell(`the dispute of ${orderId} is ${status}`);
    return { id, status };
  },
});

export const disputeStories = {
  'dispute.opened': story('the buyer disputes; the money stays in escrow', opened),
  'dispute.under_review': story('an agent looks at it', underReview),
  'dispute.release': story('decided for the seller', (stage) =>
    decided(stage, { decision: 'FULL_RELEASE', note: 'Delivered as described.' }),
  ),
  'dispute.refund': story('decided for the buyer', (stage) =>
    decided(stage, { decision: 'FULL_REFUND', note: 'Never delivered.' }),
  ),
  'dispute.split': story('each gets a part', (stage) => {
    const [releaseAmount, refundAmount] = moneyParts(stage.amount, 70);
    const note = 'Built, not painted.';
    return decided(stage, { decision: 'SPLIT', releaseAmount, refundAmount, note });
  }),
} as const satisfies Record<string, Scenario>;

async function opened(stage: Stage): Promise<Dispute> {
  const { id: orderId } = await orderInProgress(stage, { title: 'A painted chair' });
  const dispute = await stage.holdfast.orders.openDispute(orderId, {
    openedBy: 'BUYER',
    reason: 'QUALITY_ISSUE',
  });
  stage.tell(`${dispute.id}: opened by the buyer`);
  return dispute;
}

async function underReview(stage: Stage): Promise<Dispute> {
  const { id } = await opened(stage);
  stage.tell('given to agent-7');
  return stage.holdfast.disputes.assign(id, { assignedTo: 'agent-7' });
}

async function decided(stage: Stage, decision: ResolveDisputeInput): Promise<Dispute> {
  const { id } = await underReview(stage);
  stage.tell(`decided: ${decision.decision}`);
  return stage.holdfast.disputes.resolve(id, decision);
}
