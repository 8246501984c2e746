import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { useMarket, useOpened } from '../../testing/use-world.ts';
import { getOrder } from '../order/read-orders.ts';
import { findOrderByContract } from './find-order-by-contract.ts';

const { world, market } = useMarket();
const otherMarket = useOpened(() => world.market());

it('finds an order by its contract, in any marketplace', async () => {
  for (const owner of [market, otherMarket]) {
    const { id } = await orderIn(world, owner, 'IN_PROGRESS');
    const { escrow } = await getOrder(world.app, owner.call, id);
    const contractId = escrow?.providerContractId ?? '';
    expect(await findOrderByContract(world.app.pool, { contractId, orderId: null })).toEqual({
      marketplace: owner.call.actor.marketplace,
      orderId: id,
      escrowId: escrow?.id,
    });
  }
});

it('finds it by its own id while it has no contract that we know', async () => {
  const { id } = await orderIn(world, otherMarket, 'ESCROW_CREATING');
  const found = { marketplace: otherMarket.call.actor.marketplace, orderId: id, escrowId: null };
  for (const contractId of [null, 'CNEW'])
    expect(await findOrderByContract(world.app.pool, { contractId, orderId: id })).toEqual(found);
});

it('lets the contract decide where the two disagree', async () => {
  const ours = await orderIn(world, market, 'IN_PROGRESS');
  const theirs = await orderIn(world, otherMarket, 'IN_PROGRESS');
  const { escrow } = await getOrder(world.app, market.call, ours.id);
  const contractId = escrow?.providerContractId ?? '';
  const found = await findOrderByContract(world.app.pool, { contractId, orderId: theirs.id });
  expect(found).toMatchObject({ orderId: ours.id });
});

it('finds nothing for an unknown contract or order', async () => {
  const nobodys = [
    { contractId: 'CNONE', orderId: null },
    { contractId: null, orderId: 'ord_none' },
    { contractId: null, orderId: null },
  ];
  for (const each of nobodys)
    expect(await findOrderByContract(world.app.pool, each)).toBeUndefined();
});
