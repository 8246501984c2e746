//! Orders as the API shows them: with the actions that they allow now.
import type { AllowedActionView } from '@holdfast/contract/records/order-records';
import { assert } from '@holdfast/kernel/assert';
import type { UserId } from '@holdfast/kernel/ids';
import { findOrderMoney } from '../../accounts/books/order-money.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { allowedActions } from './allowed-actions.ts';
import type { Order } from './order.ts';
import { findParties, type Party } from './parties.ts';

export interface OrderRecord extends Order {
  readonly allowedActions: AllowedActionView[];
}

/** For reading only: in a transaction that changes orders these reads would cause conflicts. */
export async function orderRecords(tx: Tx, orders: readonly Order[]): Promise<OrderRecord[]> {
  if (orders.length === 0) return [];
  const users = [...new Set(orders.flatMap(({ buyerId, sellerId }) => [buyerId, sellerId]))];
  const parties = await findParties(tx, users);
  const money = await findOrderMoney(tx, orders);
  const partyOf = (id: UserId): Party => {
    const party = parties.get(id);
    assert(party !== undefined, 'the parties of an order are users');
    return party;
  };
  return orders.map((order) => {
    const found = money.get(order.id);
    assert(found !== undefined, 'every requested order is returned');
    const facts = {
      ...found,
      parties: { buyer: partyOf(order.buyerId), seller: partyOf(order.sellerId) },
    };
    return { ...shownTo(tx.actor, order), allowedActions: allowedActions(order, facts) };
  });
}
