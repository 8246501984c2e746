import { beforeEach, describe, expect, it } from 'vitest';
import {
  auditBooks,
  balanceOf,
  completeAll,
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  milestonesOf,
  openEscrowWorld,
  refusalOf,
  statesOf,
  stroopsAt,
} from '../../testing/escrows.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import { useOpened } from '../../testing/use-world.ts';
import { openDispute } from '../disputes/open-dispute.ts';
import { refundOrder } from './refund-order.ts';
import { releaseOrder } from './release-order.ts';

const world = useOpened(openEscrowWorld);
const market = useOpened(() => world.market());
beforeEach(() => world.sandbox.clearFaults());

const release = ({ id }: EscrowedOrder) => releaseOrder(world.app, market.call, id);
const CLOSED = { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' };
const OPEN = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };
const PAID = ['deploy', 'fund', 'status', 'approve', 'release'];

const settled = async (order: EscrowedOrder) => {
  expect(await statesOf(world, market, order)).toEqual(CLOSED);
  expect(await balanceOf(world, market, order.sellerId)).toBe('95.00 0.00');
  expect(await balanceOf(world, market, order.buyerId)).toBe('0.00 0.00');
};

describe('releasing', () => {
  it.each([0, 1, 3])('pays the seller less the fee, with %i milestones', async (count) => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(count),
    });
    await completeAll(world, market, order);
    await release(order);
    await settled(order);
    const each = ['status', 'approve', 'release'];
    const steps = Array.from({ length: Math.max(1, count) }, () => each).flat();
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', ...steps]);
  });

  it('brings both addresses to the books’ balances, with the provider’s fee', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', { funds: '130.00' });
    await release(order);
    expect(await stroopsAt(world, order.sellerId)).toBe(947_000_000n);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, order.sellerId)).toBe(950_000_000n);
    expect(await stroopsAt(world, order.buyerId)).toBe(300_000_000n);
  });

  it('emits its events in order, under the request, and names the caller', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const { id: orderId, sellerId } = order;
    const call = oneCall(market);
    await releaseOrder(world.app, call, orderId, { reason: 'well done' });
    const events = await eventsOf(world, call);
    expect(events.map(({ type }) => type)).toEqual([
      'order.release_requested',
      'escrow.released',
      'balance.credited',
      'order.released',
      'order.closed',
    ]);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { orderId, requestedBy: market.keyId },
      { orderId, sellerId, amount: '100.00' },
      { userId: sellerId, amount: '95.00', source: 'order_release', newAvailableBalance: '95.00' },
      { orderId, sellerId, amount: '95.00', currency: 'USD', newSellerBalance: '95.00' },
      { orderId, finalStatus: 'RELEASED' },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'RELEASE_REQUESTED', resource: orderId, reason: 'well done', result: 'SUCCESS' },
      { action: 'ORDER_RELEASED', resource: orderId, after: { amount: '95.00', fee: '5.00' } },
    ]);
  });

  it('rolls back when the network refuses, and reuses the approvals next time', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', 'release', 'reject');
    const call = oneCall(market);
    const { code, details } = await refusalOf(releaseOrder(world.app, call, order.id));
    expect(code).toBe('INTERNAL_ERROR');
    expect(details).toEqual({ reason: expect.any(String), operationId: expect.any(String) });
    expect(await statesOf(world, market, order)).toEqual(OPEN);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'RELEASE_REQUESTED' },
      { action: 'RELEASE_FAILED', resource: order.id, result: 'FAILURE' },
    ]);
    expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([
      'order.release_requested',
    ]);
    await release(order);
    await settled(order);
    expect(await effectsOf(world, order)).toEqual(PAID);
  });

  it.each(['status', 'approve', 'release'])(
    'is unknown when the reply to %s is lost, and ends by itself, once',
    async (operation) => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
      await world.sandbox.arm('escrow', operation, 'drop-after');
      const { code, details } = await refusalOf(release(order));
      expect(code).toBe('PROVIDER_TIMEOUT');
      expect(details).toEqual({ operationId: expect.stringMatching(/^op_/) });
      expect(await statesOf(world, market, order)).toEqual({
        ...OPEN,
        status: 'RELEASE_REQUESTED',
      });
      await world.engine.runWorker();
      await settled(order);
      expect(await effectsOf(world, order)).toEqual(PAID);
    },
  );

  it.each(['error-before', 'drop-before', 'error-after', 'garbage'])(
    'survives %s at every step',
    async (kind) => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
      for (const operation of ['status', 'approve', 'release'])
        await world.sandbox.arm('escrow', operation, kind);
      await refusalOf(release(order));
      await world.engine.runWorker();
      await settled(order);
      expect(await effectsOf(world, order)).toEqual(PAID);
    },
  );

  it('never rolls back once a milestone was paid, and is escalated', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(3),
    });
    await completeAll(world, market, order);
    await world.sandbox.arm('escrow', 'release', 'drop-after');
    const { details } = await refusalOf(release(order));
    await world.sandbox.arm('escrow', 'release', 'reject');
    const [operation] = await world.rows<{ id: string; epoch: number }>(
      'select id, epoch from operation where id = $1',
      [details['operationId']],
    );
    const ref = { ...operation, marketplace: market.call.actor.marketplace };
    await world.engine.submit(ref as never);
    expect(await statesOf(world, market, order)).toEqual({ ...OPEN, status: 'RELEASE_REQUESTED' });
    expect(
      await world.rows('select status, has_moved_money from operation where id = $1', [ref.id]),
    ).toEqual([{ status: 'ESCALATED', has_moved_money: true }]);
    await world.engine.runWorker();
    await settled(order);
    const each = ['status', 'approve', 'release'];
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', ...each, ...each, ...each]);
  });

  it('happens once for ten requests at once', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => release(order)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason.code).toBe('INVALID_STATE');
    await settled(order);
    expect(await effectsOf(world, order)).toEqual(PAID);
  });

  it('lets one win against a refund and a dispute at once', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const { id } = order;
    const complaint = { openedBy: 'BUYER', reason: 'OTHER' } as const;
    const results = await Promise.allSettled([
      release(order),
      refundOrder(world.app, market.call, id, { reason: 'r' }),
      openDispute(world.app, market.call, id, complaint),
      release(order),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused while milestones are open, and moves nothing', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(2),
    });
    expect(await refusalOf(release(order))).toMatchObject({
      code: 'INVALID_STATE',
      details: { unfinishedMilestones: ['m1', 'm2'] },
    });
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
