import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sagas } from '../jobs/sagas.ts';
import { driveInPlace } from '../testing/engine.ts';
import {
  auditBooks,
  balanceOf,
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

const REASON = { reason: 'not needed any more' };
const refund = ({ id }: EscrowedDeal) => refundOrder(world.app, market.call, id, REASON);
const CLOSED = { status: 'CLOSED', closeReason: 'REFUNDED', escrow: 'REFUNDED' };
const OPEN = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };

const settled = async (deal: EscrowedDeal) => {
  expect(await lookAt(world, market, deal)).toEqual(CLOSED);
  expect(await balanceOf(world, market, deal.buyerId)).toBe('100.00 0.00');
  expect(await balanceOf(world, market, deal.sellerId)).toBe('0.00 0.00');
};

describe('refunding', () => {
  it.each([0, 1, 3])('pays the buyer back whole, with %i milestones', async (count) => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(count) });
    await refund(deal);
    await settled(deal);
    const each = ['dispute', 'resolve'];
    const parts = Array.from({ length: Math.max(count, 1) }, () => each).flat();
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', ...parts]);
    // The network keeps fees of a refund too; the house makes up for them.
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, deal.buyerId)).toBe(1_000_000_000n);
  });

  it('tells its events in order, and names who asked and why', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const { id: orderId, buyerId } = deal;
    const call = oneCall(market);
    await refundOrder(world.app, call, orderId, REASON);
    const told = await toldBy(world, call);
    expect(told.map(({ type }) => type)).toEqual([
      'order.refund_requested',
      'escrow.refunded',
      'balance.credited',
      'order.refunded',
      'order.closed',
    ]);
    expect(told.map(({ payload }) => payload)).toMatchObject([
      { orderId, requestedBy: market.keyId },
      { orderId, buyerId, amount: '100.00' },
      { userId: buyerId, amount: '100.00', source: 'order_refund' },
      { orderId, buyerId, amount: '100.00', currency: 'USD', newBuyerBalance: '100.00' },
      { orderId, finalStatus: 'REFUNDED' },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'REFUND_REQUESTED', resource: orderId, ...REASON },
      { action: 'ORDER_REFUNDED', resource: orderId },
    ]);
  });

  it('whose second call is refused goes back, and settles by it the next time', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', 'resolve', 'reject');
    expect((await refusalOf(refund(deal))).code).toBe('INTERNAL_ERROR');
    expect(await lookAt(world, market, deal)).toEqual(OPEN);
    await refund(deal);
    await settled(deal);
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
  });

  it('whose second call is refused leaves a contract that a release still settles', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', 'resolve', 'reject');
    await refusalOf(refund(deal));
    await releaseOrder(world.app, market.call, deal.id);
    expect(await lookAt(world, market, deal)).toEqual({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      escrow: 'RELEASED',
    });
    expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, deal.sellerId)).toBe(950_000_000n);
    expect(await stroopsAt(world, deal.buyerId)).toBe(0n);
  });

  it.each(['dispute', 'resolve'])(
    'is unknown when the answer to %s is lost, and ends by itself, once',
    async (operation) => {
      const deal = await dealIn(world, market, 'IN_PROGRESS');
      await world.sandbox.arm('escrow', operation, 'drop-after');
      expect((await refusalOf(refund(deal))).code).toBe('PROVIDER_TIMEOUT');
      expect(await lookAt(world, market, deal)).toEqual({ ...OPEN, status: 'REFUND_REQUESTED' });
      await world.engine.runWorker();
      await settled(deal);
      expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
    },
  );

  describe('of a contract that does not show its money yet', () => {
    const NOT_YET = { ...OPEN, status: 'REFUND_REQUESTED' };
    const readings = ({ id }: EscrowedDeal) =>
      world.rows(
        `select s.name, s.status from operation_step s join operation o on o.id = s.operation_id
         where o.resource_id = $1 and o.kind = 'refund-order' and s.name like 'read%'`,
        [id],
      );

    it.each([1, 3])('reads it again, with %i milestones', async (count) => {
      const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(count) });
      await world.sandbox.arm('escrow', 'read', 'stale', 3);
      expect((await refusalOf(refund(deal))).code).toBe('PROVIDER_TIMEOUT');
      expect(await lookAt(world, market, deal)).toEqual(NOT_YET);
      expect(await readings(deal)).toEqual([{ name: 'read', status: 'CLAIMED' }]);
      expect(await world.engine.runWorker()).toBe(0);
      await settled(deal);
    });

    it('tells the provider which transaction funded it', async () => {
      const deal = await dealIn(world, market, 'IN_PROGRESS');
      const [funded] = await world.rows<{ hash: string }>(
        `select e.hash from envelope e join operation o on e.purpose = 'fund-escrow:fund:' || o.id
         where o.resource_id = $1`,
        [deal.id],
      );
      const noted: string[] = [];
      const { escrows } = world.custody;
      const noteTransaction = (hash: string) => {
        noted.push(hash);
        return escrows.noteTransaction(hash);
      };
      await world.sandbox.arm('escrow', 'read', 'stale');
      const worker = { ...world.custody, escrows: { ...escrows, noteTransaction } };
      driveInPlace(world, worker, sagas);
      await refusalOf(refund(deal)).finally(() => driveInPlace(world, world.custody, sagas));
      expect(noted).toEqual([funded?.hash]);
      await world.engine.runWorker();
      await settled(deal);
    });

    it('is driven on where an older build has kept such a reading', async () => {
      const deal = await dealIn(world, market, 'IN_PROGRESS');
      await world.sandbox.arm('escrow', 'read', 'stale');
      await refusalOf(refund(deal));
      const flags = { isDisputed: false, isReleased: false, isResolved: false };
      const milestone = { ...flags, status: '', isApproved: false, stroops: null, receiver: null };
      const value = { kind: 'single-release', balanceStroops: '0', ...flags };
      await world.rows(
        `update operation_step s set status = 'DONE', result = $2, ended_at = now()
         from operation o where o.id = s.operation_id and o.resource_id = $1
           and o.kind = 'refund-order' and s.name = 'read'`,
        [deal.id, { value: { ...value, milestones: [milestone] } }],
      );
      expect(await world.engine.runWorker()).toBe(0);
      await settled(deal);
      expect(await readings(deal)).toEqual([
        { name: 'read', status: 'DONE' },
        { name: 'read-again', status: 'DONE' },
      ]);
    });
  });

  it('pays out dust that somebody sent to the contract, and takes it home', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const [escrow] = await world.rows<{ provider_contract_id: string }>(
      'select provider_contract_id from escrow where order_id = $1',
      [deal.id],
    );
    await world.sandbox.deposit(escrow?.provider_contract_id ?? '', 'USDC', '0.0000007');
    await refund(deal);
    await settled(deal);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, deal.buyerId)).toBe(1_000_000_000n);
  });

  it('of ten at once happens once', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => refund(deal)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await settled(deal);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
