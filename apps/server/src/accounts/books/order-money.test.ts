import { newId, type OrderId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { describe, expect, it } from 'vitest';
import { findOrder, type Order } from '../../orders/model/order.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { eventsOf, oneCall, orderIn } from '../../testing/orders.ts';
import { useMarket } from '../../testing/use-world.ts';
import { getBalance } from './get-balance.ts';
import {
  collectFeeFromEscrow,
  findOrderMoney,
  fundOrderEscrow,
  holdForOrder,
  payFromEscrow,
  returnOrderHold,
  unfundOrderEscrow,
} from './order-money.ts';
import { unreserveBalance } from './unreserve-balance.ts';

const { world, market } = useMarket();

const usd = (text: string) => Money.read(text, 'USD') ?? Money.zero('USD');
const inTx = <T>(work: (tx: Tx) => Promise<T>, call = market.call) =>
  transact(world.app, call, work);
/** Only a saga gives a funding back. */
const unfund = (order: Order, call = market.call) =>
  transact(world.worker, call, (tx) => unfundOrderEscrow(tx, order));

/** An order of 100.00 whose buyer has 130.00, with its money where the state implies. */
async function createdOrder(state: 'ORDER_CREATED' | 'FUNDS_RESERVED'): Promise<Order> {
  const { id } = await orderIn(world, market, state, { funds: '130.00' });
  const order = await read(world.app, market.call, (tx) => findOrder(tx, id));
  if (order === undefined) throw new Error('the order was made');
  return order;
}

async function funded(): Promise<Order> {
  const order = await createdOrder('FUNDS_RESERVED');
  await inTx((tx) => fundOrderEscrow(tx, order));
  return order;
}

async function moneyOf({ id, buyerId, sellerId }: Order): Promise<Record<string, string>> {
  const [buyer, seller] = [
    await getBalance(world.app, market.call, buyerId),
    await getBalance(world.app, market.call, sellerId),
  ];
  const [escrow] = await world.rows<{ available: string }>(
    `select available from account where kind = 'escrow' and owner_id = $1`,
    [id],
  );
  return {
    available: String(buyer.available),
    reserved: String(buyer.reserved),
    escrow: escrow?.available ?? 'none',
    seller: String(seller.available),
  };
}

const entriesOf = (id: OrderId) =>
  world.rows<{ kind: string; amount: string }>(
    'select kind, amount from entry where subject_id = $1 order by created_at, id',
    [id],
  );

it('opens the accounts that the money will pass through, with the order', async () => {
  const order = await createdOrder('ORDER_CREATED');
  expect(await moneyOf(order)).toEqual({
    available: '13000',
    reserved: '0',
    escrow: '0',
    seller: '0',
  });
});

it("returns the buyer's balance and the order's hold", async () => {
  const [waiting, holding] = [
    await createdOrder('ORDER_CREATED'),
    await createdOrder('FUNDS_RESERVED'),
  ];
  const found = await read(world.app, market.call, (tx) => findOrderMoney(tx, [waiting, holding]));
  expect(found).toEqual(
    new Map([
      [waiting.id, { available: usd('130.00'), reserved: usd('0') }],
      [holding.id, { available: usd('30.00'), reserved: usd('100.00') }],
    ]),
  );
});

describe('a hold', () => {
  it('is refused where less is available, and leaves nothing', async () => {
    const { id, buyerId } = await orderIn(world, market, 'ORDER_CREATED', { funds: '99.99' });
    await expect(
      inTx((tx) => holdForOrder(tx, { id, buyerId, amount: usd('100.00'), currency: 'USD' })),
    ).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: { requested: '100.00', available: '99.99', currency: 'USD' },
    });
    expect(await entriesOf(id)).toEqual([]);
  });

  it('is created once: the database refuses a second one', async () => {
    const { id, buyerId } = await orderIn(world, market, 'FUNDS_RESERVED', { funds: '300.00' });
    await expect(
      inTx((tx) => holdForOrder(tx, { id, buyerId, amount: usd('100.00'), currency: 'USD' })),
    ).rejects.toThrow(/reservation_order_key/);
  });

  it('is out of reach of the balance routes', async () => {
    const order = await createdOrder('FUNDS_RESERVED');
    await expect(
      unreserveBalance(world.app, market.call, order.buyerId, {
        amount: '1.00',
        orderId: order.id,
      }),
    ).rejects.toMatchObject({
      code: 'RESERVATION_EXCEEDED',
      details: { reason: `the rest is held by order ${order.id}` },
    });
  });

  it('cannot be returned where there is none', async () => {
    const order = await createdOrder('ORDER_CREATED');
    await expect(inTx((tx) => returnOrderHold(tx, order, null))).rejects.toThrow(/holds nothing/);
  });
});

describe('funding', () => {
  it("consumes the order's hold and reports that reserved money went into escrow", async () => {
    const order = await createdOrder('FUNDS_RESERVED');
    const call = oneCall(market);
    const after = await inTx((tx) => fundOrderEscrow(tx, order), call);
    expect([after.available.text, after.reserved.text]).toEqual(['30.00', '0.00']);
    expect(await moneyOf(order)).toEqual({
      available: '3000',
      reserved: '0',
      escrow: '10000',
      seller: '0',
    });
    expect(await eventsOf(world, call)).toEqual([
      {
        type: 'balance.debited',
        payload: {
          userId: order.buyerId,
          amount: '100.00',
          currency: 'USD',
          destination: 'escrow_fund',
          destinationId: order.id,
          previousAvailableBalance: '30.00',
          newAvailableBalance: '30.00',
          previousReservedBalance: '100.00',
          newReservedBalance: '0.00',
        },
      },
    ]);
    expect(
      await world.rows('select remaining from reservation where subject_id = $1', [order.id]),
    ).toEqual([{ remaining: '0' }]);
  });

  it('is refused without a hold', async () => {
    const order = await funded();
    await expect(inTx((tx) => fundOrderEscrow(tx, order))).rejects.toMatchObject({
      code: 'RESERVE_NOT_FOUND',
      details: { requested: '100.00', reserved: '0.00', currency: 'USD' },
    });
  });

  it('can be reversed into a new hold, and tried again', async () => {
    const order = await funded();
    const call = oneCall(market);
    const after = await unfund(order, call);
    expect([after.available.text, after.reserved.text]).toEqual(['30.00', '100.00']);
    expect(await eventsOf(world, call)).toMatchObject([
      {
        type: 'balance.credited',
        payload: { source: 'escrow_unfund', sourceId: order.id, newAvailableBalance: '130.00' },
      },
      {
        type: 'balance.reserved',
        payload: { orderId: order.id, newAvailableBalance: '30.00', newReservedBalance: '100.00' },
      },
    ]);
    await inTx((tx) => fundOrderEscrow(tx, order));
    await expect(inTx((tx) => holdForOrder(tx, order))).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    });
    expect((await entriesOf(order.id)).map(({ kind }) => kind)).toEqual([
      'order_hold',
      'escrow_fund',
      'escrow_unfund',
      'order_hold',
      'escrow_fund',
    ]);
  });

  it('cannot be reversed once an amount was paid out', async () => {
    const order = await funded();
    await inTx((tx) => payFromEscrow(tx, order, 'order_refund', usd('0.01')));
    await expect(unfund(order)).rejects.toThrow(/99.*in escrow/);
  });
});

describe('paying out of escrow', () => {
  it('pays the seller and keeps the fee', async () => {
    const order = await funded();
    const call = oneCall(market);
    const after = await inTx(async (tx) => {
      const paid = await payFromEscrow(tx, order, 'order_release', usd('95.00'));
      await collectFeeFromEscrow(tx, order, usd('5.00'));
      await collectFeeFromEscrow(tx, order, usd('0'));
      return paid;
    }, call);
    expect(after.available.text).toBe('95.00');
    expect(await moneyOf(order)).toMatchObject({ escrow: '0', seller: '9500', reserved: '0' });
    expect(await eventsOf(world, call)).toEqual([
      {
        type: 'balance.credited',
        payload: {
          userId: order.sellerId,
          amount: '95.00',
          currency: 'USD',
          source: 'order_release',
          sourceId: order.id,
          previousAvailableBalance: '0.00',
          newAvailableBalance: '95.00',
        },
      },
    ]);
    const [fees] = await world.rows<{ sum: string }>(
      `select sum(p.delta) from house_delta p join account a on a.id = p.account_id
       where a.kind = 'fee_income' and a.marketplace_id = $1`,
      [market.call.actor.marketplace],
    );
    expect(fees?.sum).toBe('500');
  });

  it('pays the buyer back', async () => {
    const order = await funded();
    const call = oneCall(market);
    await inTx((tx) => payFromEscrow(tx, order, 'order_refund', usd('100.00')), call);
    expect(await moneyOf(order)).toMatchObject({ available: '13000', escrow: '0' });
    expect((await eventsOf(world, call))[0]?.payload).toMatchObject({
      userId: order.buyerId,
      source: 'order_refund',
      sourceId: order.id,
    });
  });

  it("pays no more than there is, and only the order's parties", async () => {
    const order = await funded();
    await expect(
      inTx((tx) => payFromEscrow(tx, order, 'order_release', usd('100.01'))),
    ).rejects.toThrow(/account_available_check/);
    await expect(
      inTx((tx) => payFromEscrow(tx, order, 'gift' as 'order_release', usd('1.00'))),
    ).rejects.toThrow(/never opened/);
    expect(await moneyOf(order)).toMatchObject({ escrow: '10000', seller: '0' });
  });
});

describe('a posting function', () => {
  it("works only for an order of the transaction's marketplace", async () => {
    const theirs = await createdOrder('ORDER_CREATED');
    const other = await world.market();
    await expect(inTx((tx) => holdForOrder(tx, theirs), other.call)).rejects.toThrow(
      /not of this marketplace/,
    );
    const unknown = { ...theirs, id: newId('ord', Date.now()) };
    await expect(inTx((tx) => holdForOrder(tx, unknown))).rejects.toThrow(
      /not of this marketplace/,
    );
  });

  it('is the only way to post: its steps cannot be called', async () => {
    await expect(inTx((tx) => tx.query(sql`select books.find_order('ord_1')`))).rejects.toThrow(
      /permission denied/,
    );
  });
});
