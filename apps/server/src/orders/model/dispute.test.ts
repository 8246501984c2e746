import { AssertionFailed } from '@holdfast/kernel/assert';
import { newId, type OrderId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { expect, it } from 'vitest';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { orderIn } from '../../testing/orders.ts';
import { useMarket } from '../../testing/use-world.ts';
import { assignDispute } from '../disputes/assign-dispute.ts';
import { claimDecision, clearClaim, type Decision, type Dispute, moveDispute } from './dispute.ts';
import { lockOrder } from './order.ts';

const { world, market } = useMarket();

const usd = (text: string) => Money.read(text, 'USD') as Money;
const split = (): Decision => ({
  decision: 'SPLIT',
  releaseAmount: usd('60.00'),
  refundAmount: usd('40.00'),
  note: 'half',
  claimedBy: 'key_agent',
  operationId: newId('op', Date.now()),
});

async function reviewed(): Promise<OrderId> {
  const { id, disputeId } = await orderIn(world, market, 'DISPUTED');
  if (disputeId === null) throw new Error('it is disputed');
  await assignDispute(world.app, market.call, disputeId, { assignedTo: 'agent-1' });
  return id;
}

const withDispute = <T>(id: OrderId, work: (tx: Tx, dispute: Dispute) => Promise<T>) =>
  transact(world.app, market.call, async (tx) => {
    const { dispute } = await lockOrder(tx, id);
    if (dispute === null) throw new Error('the order is disputed');
    return work(tx, dispute);
  });

const shown = async (id: OrderId) =>
  (await market.send('GET', `/orders/${id}`)).json.data.data.dispute;

it('does not show a claimed decision until it is carried out', async () => {
  const id = await reviewed();
  const claim = split();
  await withDispute(id, (tx, dispute) => claimDecision(tx, dispute, claim));
  expect(await withDispute(id, async (_, dispute) => dispute.claim)).toEqual(claim);
  expect(await shown(id)).toMatchObject({
    status: 'UNDER_REVIEW',
    resolutionDecision: null,
    decisionNote: null,
    releaseAmount: null,
    resolvedBy: null,
  });
  await withDispute(id, (tx, dispute) => moveDispute(tx, dispute, 'resolve'));
  expect(await shown(id)).toMatchObject({
    status: 'RESOLVED',
    resolutionDecision: 'SPLIT',
    decisionNote: 'half',
    releaseAmount: '60.00',
    refundAmount: '40.00',
    resolvedBy: 'key_agent',
    resolvedAt: expect.stringMatching(/Z$/),
  });
});

it('is claimed once, and again after the claim was cleared', async () => {
  const id = await reviewed();
  const claim = () => withDispute(id, (tx, dispute) => claimDecision(tx, dispute, split()));
  await claim();
  await expect(claim()).rejects.toThrow(AssertionFailed);
  await withDispute(id, clearClaim);
  await claim();
  await withDispute(id, (tx, dispute) => moveDispute(tx, dispute, 'resolve'));
  await expect(withDispute(id, clearClaim)).rejects.toThrow(AssertionFailed);
});

it('is not resolved without a decision, nor decided before an agent has it', async () => {
  const id = await reviewed();
  await expect(
    withDispute(id, (tx, dispute) => moveDispute(tx, dispute, 'resolve')),
  ).rejects.toThrow(/dispute_resolved_check/);
  const { id: open } = await orderIn(world, market, 'DISPUTED');
  await expect(
    withDispute(open, (tx, dispute) => claimDecision(tx, dispute, split())),
  ).rejects.toThrow(AssertionFailed);
});
