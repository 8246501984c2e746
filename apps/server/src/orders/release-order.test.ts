import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  auditBooks,
  balanceOf,
  completeAll,
  dealIn,
  type EscrowedDeal,
  type EscrowWorld,
  effectsOf,
  lookAt,
  openEscrowWorld,
  refusalOf,
  stones,
  stroopsAt,
} from '../testing/escrows.ts';
import { auditedBy, oneCall, toldBy } from '../testing/orders.ts';
import type { Market } from '../testing/world.ts';
import { openDispute } from './open-dispute.ts';
import { refundOrder } from './refund-order.ts';
import { releaseOrder } from './release-order.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
});
afterAll(() => world.close());
beforeEach(() => world.sandbox.clearFaults());

const release = ({ id }: EscrowedDeal) => releaseOrder(world.app, market.call, id);
const CLOSED = { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' };
const OPEN = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };
const PAID = ['deploy', 'fund', 'status', 'approve', 'release'];

const settled = async (deal: EscrowedDeal) => {
  expect(await lookAt(world, market, deal)).toEqual(CLOSED);
  expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
  expect(await balanceOf(world, market, deal.buyerId)).toBe('0.00 0.00');
};

describe('releasing', () => {
  it.each([0, 1, 3])('pays the seller less the fee, with %i milestones', async (count) => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(count) });
    await completeAll(world, market, deal);
    await release(deal);
    await settled(deal);
    const each = ['status', 'approve', 'release'];
    const steps = Array.from({ length: Math.max(1, count) }, () => each).flat();
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', ...steps]);
  });

  it('brings both addresses to what the books say, the provider’s own fee too', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { funds: '130.00' });
    await release(deal);
    expect(await stroopsAt(world, deal.sellerId)).toBe(947_000_000n);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, deal.sellerId)).toBe(950_000_000n);
    expect(await stroopsAt(world, deal.buyerId)).toBe(300_000_000n);
  });

  it('tells its events in order, under the request, and names who asked', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const { id: orderId, sellerId } = deal;
    const call = oneCall(market);
    await releaseOrder(world.app, call, orderId, { reason: 'well done' });
    const told = await toldBy(world, call);
    expect(told.map(({ type }) => type)).toEqual([
      'order.release_requested',
      'escrow.released',
      'balance.credited',
      'order.released',
      'order.closed',
    ]);
    expect(told.map(({ payload }) => payload)).toMatchObject([
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

  it('goes back when the network refuses, and finds what is approved the next time', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', 'release', 'reject');
    const call = oneCall(market);
    const { code, details } = await refusalOf(releaseOrder(world.app, call, deal.id));
    expect(code).toBe('INTERNAL_ERROR');
    expect(details).toEqual({ reason: expect.any(String), operationId: expect.any(String) });
    expect(await lookAt(world, market, deal)).toEqual(OPEN);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'RELEASE_REQUESTED' },
      { action: 'RELEASE_FAILED', resource: deal.id, result: 'FAILURE' },
    ]);
    expect((await toldBy(world, call)).map(({ type }) => type)).toEqual([
      'order.release_requested',
    ]);
    await release(deal);
    await settled(deal);
    expect(await effectsOf(world, deal)).toEqual(PAID);
  });

  it.each(['status', 'approve', 'release'])(
    'is unknown when the answer to %s is lost, and ends by itself, once',
    async (operation) => {
      const deal = await dealIn(world, market, 'IN_PROGRESS');
      await world.sandbox.arm('escrow', operation, 'drop-after');
      const { code, details } = await refusalOf(release(deal));
      expect(code).toBe('PROVIDER_TIMEOUT');
      expect(details).toEqual({ operationId: expect.stringMatching(/^op_/) });
      expect(await lookAt(world, market, deal)).toEqual({ ...OPEN, status: 'RELEASE_REQUESTED' });
      await world.engine.runWorker();
      await settled(deal);
      expect(await effectsOf(world, deal)).toEqual(PAID);
    },
  );

  it.each(['error-before', 'drop-before', 'error-after', 'garbage'])(
    'survives %s at every step',
    async (kind) => {
      const deal = await dealIn(world, market, 'IN_PROGRESS');
      for (const operation of ['status', 'approve', 'release'])
        await world.sandbox.arm('escrow', operation, kind);
      await refusalOf(release(deal));
      await world.engine.runWorker();
      await settled(deal);
      expect(await effectsOf(world, deal)).toEqual(PAID);
    },
  );

  it('never goes back once a milestone was paid, and is raised', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(3) });
    await completeAll(world, market, deal);
    await world.sandbox.arm('escrow', 'release', 'drop-after');
    const { details } = await refusalOf(release(deal));
    await world.sandbox.arm('escrow', 'release', 'reject');
    const [operation] = await world.rows<{ id: string; epoch: number }>(
      'select id, epoch from operation where id = $1',
      [details['operationId']],
    );
    const turn = { ...operation, marketplace: market.call.actor.marketplace };
    await world.engine.submit(turn as never);
    expect(await lookAt(world, market, deal)).toEqual({ ...OPEN, status: 'RELEASE_REQUESTED' });
    expect(
      await world.rows('select status, has_moved_money from operation where id = $1', [turn.id]),
    ).toEqual([{ status: 'RAISED', has_moved_money: true }]);
    await world.engine.runWorker();
    await settled(deal);
    const each = ['status', 'approve', 'release'];
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', ...each, ...each, ...each]);
  });

  it('of ten at once happens once', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => release(deal)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason.code).toBe('INVALID_STATE');
    await settled(deal);
    expect(await effectsOf(world, deal)).toEqual(PAID);
  });

  it('against a refund and a dispute is won by one', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const { id } = deal;
    const complaint = { openedBy: 'BUYER', reason: 'OTHER' } as const;
    const answers = await Promise.allSettled([
      release(deal),
      refundOrder(world.app, market.call, id, { reason: 'r' }),
      openDispute(world.app, market.call, id, complaint),
      release(deal),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused while milestones are open, and moves nothing', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(2) });
    expect(await refusalOf(release(deal))).toMatchObject({
      code: 'INVALID_STATE',
      details: { unfinishedMilestones: ['m1', 'm2'] },
    });
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund']);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
