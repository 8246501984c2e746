import type { OrderId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { escrowOrderIn, openEscrowWorld } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { orderIn } from '../../testing/orders.ts';
import { useOpened } from '../../testing/use-world.ts';
import { releaseOrder } from '../settlement/release-order.ts';
import { completeMilestone } from './complete-milestone.ts';
import { getOrder, listMilestones, listOrders } from './read-orders.ts';

const world = useOpened(openEscrowWorld);

describe('an order', () => {
  it('is shown with its escrow, dispute and milestones', async () => {
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
    const reserve = async (id: OrderId) =>
      (await getOrder(world.app, market.call, id)).allowedActions.find(
        ({ action }) => action === 'reserve',
      );
    expect(await reserve(rich.id)).toEqual({ action: 'reserve', allowed: true, reason: null });
    expect(await reserve(poor.id)).toMatchObject({
      allowed: false,
      reason: 'Available balance is 99.99 USD; the request needs 100.00 USD.',
    });
  });

  it('has masked addresses for an operator in every response, and not for a key', async () => {
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
});

describe('the list of orders', () => {
  it('pages newest first without gap or repeat, also while orders come in', async () => {
    const market = await world.market();
    const created: OrderId[] = [];
    const create = async () => created.push((await orderIn(world, market, 'ORDER_CREATED')).id);
    for (let count = 0; count < 7; count += 1) await create();
    const seen: OrderId[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listOrders(world.app, market.call, {
        limit: '3',
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.items.map(({ id }) => id));
      if (!page.hasMore) break;
      cursor = page.nextCursor ?? undefined;
      await create();
    }
    expect(seen).toEqual(created.slice(0, 7).toReversed());
  });

  it('filters by status, buyer, seller and time, combined', async () => {
    const market = await world.market();
    const one = await orderIn(world, market, 'ORDER_CREATED');
    const two = await orderIn(world, market, 'FUNDS_RESERVED', { sellerId: one.sellerId });
    const three = await orderIn(world, market, 'CLOSED', { buyerId: one.buyerId });
    const four = await orderIn(world, market, 'IN_PROGRESS', { sellerId: one.sellerId });
    const ids = async (query: string) =>
      (await market.send('GET', `/orders?${query}`)).json.data.data.map(
        (order: { id: string }) => order.id,
      );
    const [buyer, seller] = [`buyer_id=${one.buyerId}`, `seller_id=${one.sellerId}`];
    for (const [query, found] of [
      ['', [four, three, two, one]],
      ['status=FUNDS_RESERVED', [two]],
      ['status=CLOSED', [three]],
      ['status=DISPUTED', []],
      [buyer, [three, one]],
      [`buyerId=${one.buyerId}&status=ORDER_CREATED`, [one]],
      [seller, [four, two, one]],
      [`${seller}&status=IN_PROGRESS`, [four]],
      [`${buyer}&${seller}`, [one]],
      ['created_after=2020-01-01&created_before=2099-01-01&limit=2', [four, three]],
      ['created_before=2020-01-01', []],
    ] as const)
      expect(await ids(query), query).toEqual(found.map(({ id }) => id));
    for (const query of ['status=NOPE', 'limit=0', 'limit=101', 'buyer_id=x', 'stray=1'])
      expect((await market.send('GET', `/orders?${query}`)).status, query).toBe(400);
  });
});

describe('milestones', () => {
  it('are listed in their given order, page by page and by status', async () => {
    const market = await world.market();
    const milestones = ['c', 'a', 'b'].map((ref) => ({ ref, title: ref, amount: '20.00' }));
    const { id } = await orderIn(world, market, 'IN_PROGRESS', { amount: '60.00', milestones });
    const refs = async (query: Parameters<typeof listMilestones>[3]) =>
      (await listMilestones(world.app, market.call, id, query)).items.map(({ ref }) => ref);
    expect(await refs({})).toEqual(['c', 'a', 'b']);
    expect(await refs({ limit: '2' })).toEqual(['c', 'a']);
    await completeMilestone(world.app, market.call, id, 'a');
    expect(await refs({ status: 'OPEN' })).toEqual(['c', 'b']);
    expect(await refs({ status: 'COMPLETED' })).toEqual(['a']);
  });

  it('are an empty list for an order without any', async () => {
    const market = await world.market();
    const { id } = await orderIn(world, market, 'ORDER_CREATED');
    expect((await listMilestones(world.app, market.call, id, {})).items).toEqual([]);
  });
});

describe('the detail of an order', () => {
  it('shows where the money is at every step of a release', async () => {
    const market = await world.market();
    const moneyOf = async (id: OrderId) =>
      (await market.send('GET', `/orders/${id}/detail`)).json.data.data.money;
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
    const market = await world.market();
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
});
