//! What a release and a refund have in common: the same cases for both, by the table below.
import { describe, expect, it } from 'vitest';
import type { Call } from '../../platform/call.ts';
import {
  auditBooks,
  balanceOf,
  completeAll,
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
  statesOf,
  stroopsAt,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import { refundOrder } from './refund-order.ts';
import { releaseOrder } from './release-order.ts';

const { world, market } = useEscrowWorld();

const OPEN = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };

const RELEASE = {
  name: 'a release',
  settle: releaseOrder,
  reason: 'well done',
  requested: { status: 'RELEASE_REQUESTED', event: 'order.release_requested' },
  /** The calls that pay one part of the contract. */
  calls: ['status', 'approve', 'release'],
  closed: { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' },
  balances: { seller: '95.00 0.00', buyer: '0.00 0.00' },
  addresses: { seller: 950_000_000n, buyer: 0n },
  events: ['escrow.released', 'balance.credited', 'order.released', 'order.closed'],
  payloads: ({ id: orderId, sellerId }: EscrowedOrder) => [
    { orderId, sellerId, amount: '100.00' },
    { userId: sellerId, amount: '95.00', source: 'order_release', newAvailableBalance: '95.00' },
    { orderId, sellerId, amount: '95.00', currency: 'USD', newSellerBalance: '95.00' },
    { orderId, finalStatus: 'RELEASED' },
  ],
  audited: { action: 'ORDER_RELEASED', after: { amount: '95.00', fee: '5.00' } },
  failed: 'RELEASE_FAILED',
};

const REFUND = {
  name: 'a refund',
  settle: refundOrder,
  reason: 'not needed any more',
  requested: { status: 'REFUND_REQUESTED', event: 'order.refund_requested' },
  calls: ['dispute', 'resolve'],
  closed: { status: 'CLOSED', closeReason: 'REFUNDED', escrow: 'REFUNDED' },
  balances: { seller: '0.00 0.00', buyer: '100.00 0.00' },
  addresses: { seller: 0n, buyer: 1_000_000_000n },
  events: ['escrow.refunded', 'balance.credited', 'order.refunded', 'order.closed'],
  payloads: ({ id: orderId, buyerId }: EscrowedOrder) => [
    { orderId, buyerId, amount: '100.00' },
    { userId: buyerId, amount: '100.00', source: 'order_refund' },
    { orderId, buyerId, amount: '100.00', currency: 'USD', newBuyerBalance: '100.00' },
    { orderId, finalStatus: 'REFUNDED' },
  ],
  audited: { action: 'ORDER_REFUNDED' },
  failed: 'REFUND_FAILED',
};

describe.each([RELEASE, REFUND])('$name', (kind) => {
  const { settle, reason, requested, calls, closed, balances } = kind;
  const settleAs = (call: Call, { id }: EscrowedOrder) => settle(world.app, call, id, { reason });
  const request = (order: EscrowedOrder) => settleAs(market.call, order);
  const paid = (parts: number) => [
    'deploy',
    'fund',
    ...Array.from({ length: parts }, () => calls).flat(),
  ];

  const settled = async (order: EscrowedOrder, parts = 1) => {
    expect(await statesOf(world, market, order)).toEqual(closed);
    expect(await balanceOf(world, market, order.sellerId)).toBe(balances.seller);
    expect(await balanceOf(world, market, order.buyerId)).toBe(balances.buyer);
    expect(await effectsOf(world, order)).toEqual(paid(parts));
  };

  it.each([0, 1, 3])('pays the whole contract, with %i milestones', async (count) => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(count),
    });
    if (settle === releaseOrder) await completeAll(world, market, order);
    await request(order);
    await settled(order, Math.max(1, count));
    // The network keeps fees of both; the house makes up for them.
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, order.sellerId)).toBe(kind.addresses.seller);
    expect(await stroopsAt(world, order.buyerId)).toBe(kind.addresses.buyer);
  });

  it('emits its events in order, under the request, and names caller and reason', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const call = oneCall(market);
    await settleAs(call, order);
    const events = await eventsOf(world, call);
    expect(events.map(({ type }) => type)).toEqual([requested.event, ...kind.events]);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { orderId: order.id, requestedBy: market.keyId },
      ...kind.payloads(order),
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: requested.status, resource: order.id, reason, result: 'SUCCESS' },
      { ...kind.audited, resource: order.id },
    ]);
  });

  it('rolls back when its last call is refused, and repeats no other call next time', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', calls.at(-1) ?? '', 'reject');
    const call = oneCall(market);
    const { code, details } = await refusalOf(settleAs(call, order));
    expect(code).toBe('INTERNAL_ERROR');
    expect(details).toEqual({ reason: expect.any(String), operationId: expect.any(String) });
    expect(await statesOf(world, market, order)).toEqual(OPEN);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: requested.status },
      { action: kind.failed, resource: order.id, result: 'FAILURE' },
    ]);
    expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([requested.event]);
    await request(order);
    await settled(order);
  });

  it.each(calls)(
    'is unknown when the reply to %s is lost, and ends by itself, once',
    async (operation) => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
      await world.sandbox.arm('escrow', operation, 'drop-after');
      const { code, details } = await refusalOf(request(order));
      expect(code).toBe('PROVIDER_TIMEOUT');
      expect(details).toEqual({ operationId: expect.stringMatching(/^op_/) });
      const { status } = requested;
      expect(await statesOf(world, market, order)).toEqual({ ...OPEN, status });
      await world.engine.runWorker();
      await settled(order);
    },
  );

  it.each(['error-before', 'drop-before', 'error-after', 'garbage'])(
    'survives %s at every step',
    async (fault) => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
      for (const operation of calls) await world.sandbox.arm('escrow', operation, fault);
      await refusalOf(request(order));
      await world.engine.runWorker();
      await settled(order);
    },
  );

  it('happens once for ten requests at once', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => request(order)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason.code).toBe('INVALID_STATE');
    await settled(order);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
