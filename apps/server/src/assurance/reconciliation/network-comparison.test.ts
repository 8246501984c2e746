//! Tests that a run reads the contracts at the edges of an order's life.
import { expect, it } from 'vitest';
import { createEscrow } from '../../orders/escrow/create-escrow.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import { escrowOrderIn, refusalOf } from '../../testing/escrows.ts';
import { atRest, reconciled, seenBy, useReconciledWorld } from '../../testing/reconciliation.ts';

const { world, market } = useReconciledWorld();

const contractsOf = (orderId: string) =>
  world.rows<{ status: string; contract: string }>(
    `select status, provider_contract_id as contract from escrow where order_id = $1
     order by created_at`,
    [orderId],
  );

it('finds money in a contract that a refused funding left behind', async () => {
  const { id } = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
  await world.sandbox.arm('escrow', 'fund', 'reject');
  expect((await refusalOf(fundEscrow(world.app, market.call, id))).code).toBe(
    'ESCROW_FUNDING_FAILED',
  );
  await createEscrow(world.app, market.call, id);
  await fundEscrow(world.app, market.call, id);
  const [left, used] = await contractsOf(id);
  expect([left?.status, used?.status]).toEqual(['ARCHIVED', 'FUNDED']);
  await atRest(world);
  const clean = await reconciled(world, market);
  expect(clean.figures).toMatchObject({ opened: 0 });
  const { matched } = clean.figures.totals['ledger_network USDC'] ?? {};
  await world.sandbox.deposit(left?.contract ?? '', 'USDC', '7.5');
  const run = await reconciled(world, market);
  expect(await seenBy(world, market, run.id)).toMatchObject([
    {
      cause: 'CONTRACT_DIFFERENCE',
      resourceId: id,
      ours: { escrow: '0.0000000' },
      theirs: { contractId: left?.contract, holds: '7.5000000' },
    },
  ]);
  expect(run.figures.totals['ledger_network USDC']?.matched.count).toBe((matched?.count ?? 0) - 1);
});
