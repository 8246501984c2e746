import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auditedBy, eventsOf, oneCall, snapshotDatabase } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useMarket, useOpened } from '../../testing/use-world.ts';
import { createOrder } from './create-order.ts';
import type { OrderInput } from './order-input.ts';

const { world, market } = useMarket();
const input = useOpened(async () => ({
  buyerId: await market.user(),
  sellerId: await market.user(),
  amount: '100.00',
  title: 'A table',
}));

const create = (changes: Partial<OrderInput> = {}, call = market.call) =>
  createOrder(world.app, call, { ...input, ...changes });

it('creates an order with its event and audit entry, and moves no money', async () => {
  const call = oneCall(market);
  const clientOrderRef = randomUUID();
  const { order, isNew } = await create({ description: 'Oak', clientOrderRef }, call);
  expect(isNew).toBe(true);
  expect(order).toMatchObject({
    status: 'ORDER_CREATED',
    currency: 'USD',
    escrow: null,
    dispute: null,
    milestones: [],
    closeReason: null,
    metadata: {},
    description: 'Oak',
    clientOrderRef,
  });
  expect([order.amount.text, order.fee.text, order.feeRate]).toEqual(['100.00', '5.00', 500n]);
  const { buyerId, sellerId } = input;
  const agreed = { buyerId, sellerId, amount: '100.00', currency: 'USD' };
  expect(await eventsOf(world, call)).toEqual([
    {
      type: 'order.created',
      payload: {
        orderId: order.id,
        ...agreed,
        title: 'A table',
        description: 'Oak',
        clientOrderRef,
      },
    },
  ]);
  expect(await auditedBy(world, call)).toEqual([
    {
      action: 'ORDER_CREATED',
      resource: order.id,
      before: null,
      after: { status: 'ORDER_CREATED', ...agreed, fee: '5.00', feeRate: '5.00', clientOrderRef },
      reason: null,
      result: 'SUCCESS',
    },
  ]);
  expect(await world.rows('select count(*)::int as n from entry')).toEqual([{ n: 0 }]);
});

it('stores milestones in their given order', async () => {
  const milestones = ['z', 'a', 'm'].map((ref, at) => ({
    ref,
    title: `Part ${at}`,
    amount: ['33.33', '33.33', '33.34'][at] as string,
  }));
  const { order } = await create({ milestones });
  expect(order.milestones.map(({ ref, amount, status }) => [ref, amount.text, status])).toEqual([
    ['z', '33.33', 'OPEN'],
    ['a', '33.33', 'OPEN'],
    ['m', '33.34', 'OPEN'],
  ]);
});

it('stores metadata as it was sent', async () => {
  const metadata = { zebra: 1, platformFee: 3, apple: { b: [null, 'x\u0000'], a: 2 } };
  const { order } = await create({ metadata });
  expect(JSON.stringify(order.metadata)).toBe(JSON.stringify(metadata));
});

describe('reusing a client reference', () => {
  it('returns the same order for the same input, however it is spelled', async () => {
    const call = oneCall(market);
    const clientOrderRef = randomUUID();
    const metadata = { a: 1, b: { c: 2, d: 3 } };
    const first = await create({ clientOrderRef, metadata });
    const again = await create(
      { clientOrderRef, amount: '100', currency: 'USD', metadata: { b: { d: 3, c: 2 }, a: 1 } },
      call,
    );
    expect([again.order.id, again.isNew]).toEqual([first.order.id, false]);
    expect(await eventsOf(world, call)).toEqual([]);
    expect(await auditedBy(world, call)).toEqual([]);
  });

  it.each<Partial<OrderInput>>([
    { amount: '100.01' },
    { currency: 'USDC' },
    { title: 'Another' },
    { description: 'x' },
    { metadata: { a: 1 } },
    { milestones: [{ ref: 'm', title: '', amount: '100.00' }] },
  ])('is refused with other input: %j', async (other) => {
    const clientOrderRef = randomUUID();
    const { order } = await create({ clientOrderRef });
    await expect(create({ clientOrderRef, ...other })).rejects.toMatchObject({
      code: 'CLIENT_ORDER_REF_REUSED',
      details: { clientOrderRef, orderId: order.id },
    });
  });

  it('still returns the order when a party is not active any more', async () => {
    const clientOrderRef = randomUUID();
    const buyerId = await market.user();
    const first = await create({ clientOrderRef, buyerId });
    await suspend(buyerId);
    expect((await create({ clientOrderRef, buyerId })).order.id).toBe(first.order.id);
  });

  it('creates one order for twenty requests at once', async () => {
    const clientOrderRef = randomUUID();
    const created = await Promise.all(Array.from({ length: 20 }, () => create({ clientOrderRef })));
    expect(new Set(created.map(({ order }) => order.id)).size).toBe(1);
    expect(created.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it('is separate per marketplace', async () => {
    const clientOrderRef = randomUUID();
    const other = await world.market();
    await create({ clientOrderRef });
    const theirs = { buyerId: await other.user(), sellerId: await other.user() };
    expect((await create({ clientOrderRef, ...theirs }, other.call)).isNew).toBe(true);
  });
});

it('creates thirty orders for thirty requests at once', async () => {
  const milestones = [{ ref: 'm', title: '', amount: '100.00' }];
  const created = await Promise.all(Array.from({ length: 30 }, () => create({ milestones })));
  expect(new Set(created.map(({ order }) => order.id)).size).toBe(30);
});

it('refuses users that the marketplace does not have, and changes nothing', async () => {
  const outsider = await (await world.market()).user();
  const before = await snapshotDatabase(world);
  for (const userId of [outsider, 'usr_00000000000000000000000000'] as const) {
    for (const role of ['buyerId', 'sellerId'] as const)
      await expect(create({ [role]: userId })).rejects.toMatchObject({
        code: 'USER_NOT_FOUND',
        details: { userId },
      });
  }
  expect(await snapshotDatabase(world)).toEqual(before);
});

it('refuses users who are not active', async () => {
  for (const role of ['buyerId', 'sellerId'] as const) {
    const userId = await market.user();
    await suspend(userId);
    await expect(create({ [role]: userId })).rejects.toMatchObject({
      code: 'USER_NOT_ACTIVE',
      details: { userId, status: 'SUSPENDED' },
    });
  }
});

it('refuses what cannot go into escrow, after what is malformed', async () => {
  await expect(create({ currency: 'XLM' })).rejects.toSatisfy(isRefusal('CURRENCY_NOT_ESCROWABLE'));
  await expect(create({ amount: '0.99' })).rejects.toSatisfy(isRefusal('AMOUNT_OUT_OF_RANGE'));
  await expect(create({ amount: '1000000.01' })).rejects.toMatchObject({
    code: 'AMOUNT_OUT_OF_RANGE',
    details: { requested: '1000000.01', minimum: '1.00', maximum: '1000000.00', currency: 'USD' },
  });
  await expect(create({ currency: 'XLM', amount: '-1' })).rejects.toSatisfy(
    isRefusal('VALIDATION_ERROR'),
  );
});

/** No operation suspends a user yet. */
async function suspend(userId: string): Promise<void> {
  await world.rows(`update users set status = 'SUSPENDED' where id = $1`, [userId]);
}
