//! The scenarios of a dispute.
import type { Dispute, ResolveDisputeInput } from '@holdfast/sdk';
import { orderInProgress } from './order-steps.ts';
import { type Scenario, type ScenarioContext, scenariosOf } from './scenario.ts';
import { splitAmount } from './split-amount.ts';

const scenario = scenariosOf<Dispute>(
  '100.00',
  ({ orderId, status }) => `dispute of ${orderId} is ${status}`,
);

export const disputeScenarios = {
  'dispute.opened': scenario('the buyer opens a dispute; the money stays in escrow', opened),
  'dispute.under_review': scenario('assigned to an agent', underReview),
  'dispute.release': scenario('resolved in favor of the seller', (context) =>
    decided(context, { decision: 'FULL_RELEASE', note: 'Delivered as described.' }),
  ),
  'dispute.refund': scenario('resolved in favor of the buyer', (context) =>
    decided(context, { decision: 'FULL_REFUND', note: 'Never delivered.' }),
  ),
  'dispute.split': scenario('resolved with a split', (context) => {
    const [releaseAmount, refundAmount] = splitAmount(context.amount, 70);
    const note = 'Built, not painted.';
    return decided(context, { decision: 'SPLIT', releaseAmount, refundAmount, note });
  }),
} as const satisfies Record<string, Scenario>;

async function opened(context: ScenarioContext): Promise<Dispute> {
  const { id: orderId } = await orderInProgress(context, { title: 'A painted chair' });
  const dispute = await context.holdfast.orders.openDispute(orderId, {
    openedBy: 'BUYER',
    reason: 'QUALITY_ISSUE',
  });
  context.report(`${dispute.id}: dispute opened by the buyer`);
  return dispute;
}

async function underReview(context: ScenarioContext): Promise<Dispute> {
  const { id } = await opened(context);
  context.report('assigned to agent-7');
  return context.holdfast.disputes.assign(id, { assignedTo: 'agent-7' });
}

async function decided(context: ScenarioContext, decision: ResolveDisputeInput): Promise<Dispute> {
  const { id } = await underReview(context);
  context.report(`resolved as ${decision.decision}`);
  return context.holdfast.disputes.resolve(id, decision);
}
