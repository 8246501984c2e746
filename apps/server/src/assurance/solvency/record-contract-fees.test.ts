//! Tests that the escrow provider's fee is read off the network, once, to the stroop.
import { expect, it } from 'vitest';
import { resolveDispute } from '../../orders/disputes/resolve-dispute.ts';
import { refundOrder } from '../../orders/settlement/refund-order.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { completeAll, escrowOrderIn, milestonesOf, useEscrowWorld } from '../../testing/escrows.ts';
import { recordContractFees } from './record-contract-fees.ts';

const { world, market } = useEscrowWorld();

const feesOf = async (orderId: string) => {
  const rows = await world.rows<{ provider_stroops: string | null }>(
    'select provider_stroops from contract_fee where order_id = $1',
    [orderId],
  );
  return rows.map((row) => row.provider_stroops);
};

it('records the fee of a release, of every milestone, of a refund and of a split', async () => {
  const { app, custody } = world;
  const { call } = market;
  const single = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '100.01' });
  await completeAll(world, market, single);
  await releaseOrder(app, call, single.id);
  const multi = await escrowOrderIn(world, market, 'IN_PROGRESS', { milestones: milestonesOf(3) });
  await completeAll(world, market, multi);
  await releaseOrder(app, call, multi.id);
  const back = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '33.33' });
  await refundOrder(app, call, back.id, { reason: 'not needed' });
  const split = await escrowOrderIn(world, market, 'UNDER_REVIEW', { amount: '10.00' });
  const decision = { decision: 'SPLIT', releaseAmount: '3.33', refundAmount: '6.67' } as const;
  await resolveDispute(app, call, split.disputeId, decision);
  expect(await feesOf(single.id)).toEqual([null]);

  const down = { ...custody, network: { ...custody.network, paymentsOf: async () => away } };
  expect(await recordContractFees(down)).toBe(0);
  expect(await recordContractFees(custody)).toBe(4);
  expect(await recordContractFees(custody)).toBe(0);
  expect(await feesOf(single.id)).toEqual(['3000300']);
  // 30.00, 30.00 and 40.00, each with its own 0.3%.
  expect(await feesOf(multi.id)).toEqual(['3000000']);
  expect(await feesOf(back.id)).toEqual(['999900']);
  expect(await feesOf(split.id)).toEqual(['300000']);
});

it('waits for the outcome of every payment, even after a webhook reported the end', async () => {
  const multi = await escrowOrderIn(world, market, 'IN_PROGRESS', { milestones: milestonesOf(3) });
  await completeAll(world, market, multi);
  await releaseOrder(world.app, market.call, multi.id);
  const setLast = (state: string) =>
    world.rows(
      `update envelope set state = $1 where purpose = (select s.purpose from operation_step s
        join operation o on o.id = s.operation_id
        where o.resource_id = $2 and s.name = 'release-2')`,
      [state, multi.id],
    );
  await setLast('OPEN');
  expect(await recordContractFees(world.custody)).toBe(0);
  await setLast('APPLIED');
  expect(await recordContractFees(world.custody)).toBe(1);
  expect(await feesOf(multi.id)).toEqual(['3000000']);
});

const away = { kind: 'unknown', reason: 'Horizon is away' } as const;
