import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { getOrder } from './get-order.ts';

const world = useWorld();

it('shows an order with its escrow, dispute and milestones', async () => {
  const market = await world.market();
  const milestones = [
    { ref: 'one', title: 'First', amount: '60.00' },
    { ref: 'two', title: 'Second', amount: '40.00' },
  ];
  const { id, disputeId } = await orderIn(world, market, 'DISPUTED', { milestones });
  const order = await getOrder(world.app, market.call, id);
  expect(order).toMatchObject({
    status: 'DISPUTED',
    escrow: { status: 'DISPUTED', contractType: 'MULTI_RELEASE' },
    dispute: { id: disputeId, status: 'OPEN', claim: null },
    milestones: [{ ref: 'one' }, { ref: 'two' }],
  });
  expect(order.allowedActions.every(({ allowed }) => !allowed)).toBe(true);
  const { json } = await market.send('GET', `/orders/${id}`);
  expect(json.data.data).toMatchObject({
    fee: '5.00',
    feeRate: '5.00',
    escrow: { terms: { milestones_required: true }, releasedAt: null },
    dispute: { resolutionDecision: null, evidence: null },
    milestones: [{ amount: '60.00', status: 'OPEN', completedAt: null }, { amount: '40.00' }],
  });
});

it('shows the allowed actions, by the money available', async () => {
  const market = await world.market();
  const poor = await orderIn(world, market, 'ORDER_CREATED', { funds: '99.99' });
  const rich = await orderIn(world, market, 'ORDER_CREATED');
  const reserve = async (id: typeof rich.id) =>
    (await getOrder(world.app, market.call, id)).allowedActions.find(
      ({ action }) => action === 'reserve',
    );
  expect(await reserve(rich.id)).toEqual({ action: 'reserve', allowed: true, reason: null });
  expect(await reserve(poor.id)).toMatchObject({
    allowed: false,
    reason: 'Available balance is 99.99 USD; the request needs 100.00 USD.',
  });
});

it('masks addresses for an operator in every response, and not for a key', async () => {
  const market = await world.market();
  const metadata = { customer: 'ada@example.com', items: [{ note: 'call bo@b.example' }] };
  const input = { title: 'A table for ada@example.com', metadata };
  const { id, disputeId } = await orderIn(world, market, 'DISPUTED', input);
  await world.rows(`update dispute set evidence = '{mail of ada@example.com}' where id = $1`, [
    disputeId,
  ]);
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  for (const path of [
    `/orders/${id}`,
    '/orders',
    `/orders/${id}/detail`,
    `/disputes/${disputeId}`,
    '/disputes',
    `/search?q=${id}`,
  ]) {
    const { status, text } = await support.send('GET', path);
    expect(status, text).toBe(200);
    expect(text).toContain('a•••@e•••.com');
    expect(text, path).not.toMatch(/ada@|bo@/);
    expect((await market.send('GET', path)).text).toContain('ada@example.com');
  }
});

it("does not know another marketplace's order", async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const { id } = await orderIn(world, theirs, 'ORDER_CREATED');
  await expect(getOrder(world.app, mine.call, id)).rejects.toSatisfy(isRefusal('ORDER_NOT_FOUND'));
});
