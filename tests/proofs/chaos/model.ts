//! The clients' own arithmetic: the expected balance of every user from how each order ended.
import { centsOf, type SeenOrder } from './order.ts';

export interface Purse {
  available: bigint;
  reserved: bigint;
}

const BASIS = 10_000n;

/** In cents, rounded half to even. */
export function feeOf(cents: bigint, feeRate: string): bigint {
  const twice = cents * centsOf(feeRate) * 2n;
  const whole = twice / (2n * BASIS);
  const rest = twice % (2n * BASIS);
  const isUp = rest > BASIS || (rest === BASIS && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** The states in which the money has left the buyer's available balance. */
const SET_ASIDE: readonly string[] = ['FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING'];
const IN_ESCROW: readonly string[] = [
  'IN_PROGRESS',
  'DISPUTED',
  'RELEASE_REQUESTED',
  'REFUND_REQUESTED',
];

/** Balances of users who started with `first` and took part in these orders. */
export function purses(
  userIds: readonly string[],
  first: bigint,
  orders: readonly SeenOrder[],
): Map<string, Purse> {
  const all = new Map(userIds.map((id) => [id, { available: first, reserved: 0n }]));
  const of = (id: string): Purse => {
    const purse = all.get(id);
    if (purse === undefined) throw new Error(`${id} is not a known user`);
    return purse;
  };
  for (const order of orders) settle(order, of(order.buyerId), of(order.sellerId));
  return all;
}

function settle(order: SeenOrder, buyer: Purse, seller: Purse): void {
  const amount = centsOf(order.amount);
  const pay = (released: bigint) => {
    buyer.available -= released;
    seller.available += released - feeOf(released, order.feeRate);
  };
  if (order.status === 'ORDER_CREATED') return;
  const isFunding = order.escrow?.status === 'FUNDING';
  if (IN_ESCROW.includes(order.status) || isFunding) {
    buyer.available -= amount;
    return;
  }
  if (SET_ASIDE.includes(order.status)) {
    buyer.available -= amount;
    buyer.reserved += amount;
    return;
  }
  if (order.closeReason === 'RELEASED') pay(amount);
  else if (order.closeReason === 'SPLIT') pay(centsOf(order.dispute?.releaseAmount ?? ''));
}

/** Orders whose fee does not follow from their rate. */
export function wrongFees(orders: readonly SeenOrder[]): string[] {
  return orders
    .filter(({ amount, fee, feeRate }) => centsOf(fee) !== feeOf(centsOf(amount), feeRate))
    .map(({ id, amount, fee, feeRate }) => `${id}: a fee of ${fee} on ${amount} at ${feeRate} %`);
}
