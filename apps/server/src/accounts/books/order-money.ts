//! Money of orders: one function for each movement, inside the order's own transaction. Amounts and
//! parties are the order's; see the posting functions in platform/database/functions/books/orders.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type OrderId, type UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { type BalanceAfter, type PostingResult, runPosting } from './balance-after.ts';
import { refuseInsufficient } from './unconfirmed-money.ts';

/** The fields of an order that the books need. */
export interface BookedOrder {
  readonly id: OrderId;
  readonly amount: Money;
  readonly currency: Currency;
}

/** Opens the accounts that the order's money will pass through, in the order's own transaction. */
export async function openOrderAccounts(
  tx: Tx,
  { id, buyerId, sellerId, currency }: BookedOrder & Record<'buyerId' | 'sellerId', UserId>,
): Promise<void> {
  await tx.query(sql`
    select books.open_order_accounts(${instantText(tx.now)}, ${id}, ${buyerId}, ${sellerId},
      ${currency})`);
}

/** Reserves the buyer's money; refuses where too little is available. */
export async function holdForOrder(
  tx: Tx,
  order: BookedOrder & { readonly buyerId: UserId },
): Promise<BalanceAfter> {
  const posted = await runPosting(
    tx,
    order,
    sql`select * from books.hold_for_order(${instantText(tx.now)}, ${order.id},
      ${newId('rsv', tx.now)}, ${tx.actor.id}, ${tx.requestId})`,
  );
  if (posted.isDone) return posted;
  return refuseInsufficient(tx, order.buyerId, order.amount, posted.available);
}

/** Returns the reserved money to the buyer of an order that is given up. */
export async function returnOrderHold(
  tx: Tx,
  order: BookedOrder,
  reason: string | null,
): Promise<BalanceAfter> {
  return done(
    await runPosting(
      tx,
      order,
      sql`select * from books.return_order_hold(${instantText(tx.now)}, ${order.id}, ${reason},
        ${tx.actor.id}, ${tx.requestId})`,
    ),
  );
}

/** Turns the order's hold into money in escrow, before anything is sent to the network. */
export async function fundOrderEscrow(tx: Tx, order: BookedOrder): Promise<BalanceAfter> {
  const posted = await runPosting(
    tx,
    order,
    sql`select * from books.fund_escrow(${instantText(tx.now)}, ${order.id}, ${tx.actor.id},
      ${tx.requestId})`,
  );
  if (posted.isDone) return posted;
  const { amount, currency } = order;
  return refuse('RESERVE_NOT_FOUND', {
    requested: amount.text,
    reserved: posted.reserved.text,
    currency,
  });
}

/** Turns money in escrow back into the order's hold, once the funding provably had no effect. */
export async function unfundOrderEscrow(tx: Tx, order: BookedOrder): Promise<BalanceAfter> {
  return done(
    await runPosting(
      tx,
      order,
      sql`select * from books.unfund_escrow(${instantText(tx.now)}, ${order.id},
        ${newId('rsv', tx.now)}, ${tx.actor.id}, ${tx.requestId})`,
    ),
  );
}

/** A release pays the seller, a refund the buyer. Their balance events name it as their source. */
export type EscrowPayment = 'order_release' | 'order_refund';

export async function payFromEscrow(
  tx: Tx,
  order: BookedOrder,
  purpose: EscrowPayment,
  amount: Money,
): Promise<BalanceAfter> {
  return done(
    await runPosting(
      tx,
      order,
      sql`select * from books.pay_from_escrow(${instantText(tx.now)}, ${order.id}, ${purpose},
        ${amount.minor}, ${tx.actor.id}, ${tx.requestId})`,
    ),
  );
}

/** Collects the platform's fee; an order without one posts nothing. */
export async function collectFeeFromEscrow(tx: Tx, order: BookedOrder, fee: Money): Promise<void> {
  if (fee.isZero) return;
  await tx.query(sql`
    select books.take_fee_from_escrow(${instantText(tx.now)}, ${order.id}, ${fee.minor}, ${tx.actor.id},
      ${tx.requestId})`);
}

/** The money for an order: what its buyer can use, and its own hold. */
export interface OrderMoney {
  readonly available: Money;
  readonly reserved: Money;
}

export async function findOrderMoney(
  tx: Tx,
  orders: readonly (BookedOrder & { readonly buyerId: UserId })[],
): Promise<ReadonlyMap<OrderId, OrderMoney>> {
  const rows = await tx.query<{
    id: OrderId;
    currency: Currency;
    available: string;
    reserved: string;
  }>(sql`
    select wanted.id, wanted.currency, coalesce(a.available - a.unconfirmed, 0) as available,
      coalesce(r.remaining, 0) as reserved
    from unnest(${orders.map(({ id }) => id)}::text[],
      ${orders.map(({ buyerId }) => buyerId)}::text[],
      ${orders.map(({ currency }) => currency)}::text[]) as wanted (id, buyer_id, currency)
    left join account a on a.marketplace_id = ${tx.marketplace} and a.kind = 'user'
      and a.owner_id = wanted.buyer_id and a.currency = wanted.currency
    left join reservation r on r.marketplace_id = ${tx.marketplace} and r.subject_id = wanted.id
      and r.owner = 'order' and r.remaining > 0`);
  return new Map(
    rows.map(({ id, currency, available, reserved }) => [
      id,
      {
        available: Money.ofMinor(BigInt(available), currency),
        reserved: Money.ofMinor(BigInt(reserved), currency),
      },
    ]),
  );
}

/** Where an order's money went, from the journal. */
export interface OrderFlow {
  readonly escrowed: Money;
  readonly released: Money;
  readonly refunded: Money;
  readonly fee: Money;
}

export async function sumOrderEntries(
  tx: Tx,
  { id, currency }: Omit<BookedOrder, 'amount'>,
): Promise<OrderFlow> {
  const rows = await tx.query<{ kind: string; minor: string }>(sql`
    select kind, sum(amount) as minor from entry
    where subject_id = ${id} and marketplace_id = ${tx.marketplace} group by kind`);
  const of = (kind: string) =>
    Money.ofMinor(BigInt(rows.find((row) => row.kind === kind)?.minor ?? 0), currency);
  return {
    escrowed: of('escrow_fund').minus(of('escrow_unfund')),
    released: of('order_release'),
    refunded: of('order_refund'),
    fee: of('order_fee'),
  };
}

/** Orders are never deleted, so a known one stays known. */
export async function hasOrder(tx: Tx, orderId: string): Promise<boolean> {
  const [row] = await tx.query(sql`
    select 1 from orders where marketplace_id = ${tx.marketplace} and id = ${orderId}`);
  return row !== undefined;
}

function done(posted: PostingResult): BalanceAfter {
  assert(posted.isDone, 'the order was checked under its lock');
  return posted;
}
