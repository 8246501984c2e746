import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { escrowOrderIn, openEscrowWorld } from '../../testing/escrows.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useOpened } from '../../testing/use-world.ts';
import { releaseOrder } from '../settlement/release-order.ts';
import { getOrderDetail } from './get-order-detail.ts';

const world = useOpened(openEscrowWorld);
const market = useOpened(() => world.market());

const moneyOf = async (id: string) => {
  const { json } = await market.send('GET', `/orders/${id}/detail`);
  return json.data.data.money;
};

it('shows where the money is at every step of a release', async () => {
  const nothing = { reserved: '0.00', escrowed: '0.00', released: '0.00', refunded: '0.00' };
  const created = await escrowOrderIn(world, market, 'ORDER_CREATED');
  expect(await moneyOf(created.id)).toMatchObject({ ...nothing, fee: '0.00', remainder: '0.00' });
  const set = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
  expect(await moneyOf(set.id)).toMatchObject({ ...nothing, reserved: '100.00' });
  const { id } = await escrowOrderIn(world, market, 'IN_PROGRESS');
  expect(await moneyOf(id)).toMatchObject({ escrowed: '100.00', remainder: '100.00' });
  await releaseOrder(world.app, market.call, id, {});
  expect(await moneyOf(id)).toEqual({
    currency: 'USD',
    amount: '100.00',
    reserved: '0.00',
    escrowed: '100.00',
    released: '95.00',
    refunded: '0.00',
    fee: '5.00',
    remainder: '0.00',
  });
});

it('names the parties and the roles of the contract', async () => {
  const { id, buyerId, sellerId } = await escrowOrderIn(world, market, 'IN_PROGRESS');
  const { json } = await market.send('GET', `/orders/${id}/detail`);
  const { order, parties, contract, openOperationId } = json.data.data;
  expect(order).toMatchObject({ id, status: 'IN_PROGRESS' });
  expect(parties).toMatchObject({
    buyer: { userId: buyerId, status: 'ACTIVE', hasPaymentAccount: true },
    seller: { userId: sellerId },
  });
  expect(contract).toMatchObject({
    contractId: expect.stringMatching(/^C/),
    feeRate: '5.00',
    roles: { buyer: parties.buyer.ledgerAddress, seller: parties.seller.ledgerAddress },
  });
  expect(openOperationId).toBeNull();
});

it('is not found for another marketplace or an unknown id', async () => {
  const { id } = await escrowOrderIn(world, market, 'ORDER_CREATED');
  const otherMarket = await world.market();
  const isMissing = isRefusal('ORDER_NOT_FOUND');
  await expect(getOrderDetail(world.app, otherMarket.call, id)).rejects.toSatisfy(isMissing);
  await expect(getOrderDetail(world.app, market.call, newId('ord'))).rejects.toSatisfy(isMissing);
});
