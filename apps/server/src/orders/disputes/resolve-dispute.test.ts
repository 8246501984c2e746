import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  auditBooks,
  balanceOf,
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
  statesOf,
  stroopsAt,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { auditedBy, eventsOf, oneCall, snapshotDatabase } from '../../testing/orders.ts';
import type { DecisionInput } from './decision.ts';
import { getDispute } from './read-disputes.ts';
import { resolveDispute } from './resolve-dispute.ts';

const { world, market } = useEscrowWorld();

const resolve = ({ disputeId }: EscrowedOrder, input: DecisionInput) =>
  resolveDispute(world.app, market.call, disputeId, input);
const split = (releaseAmount: string, refundAmount: string): DecisionInput => ({
  decision: 'SPLIT',
  releaseAmount,
  refundAmount,
});
const REVIEWED = {
  status: 'DISPUTED',
  closeReason: null,
  escrow: 'DISPUTED',
  dispute: 'UNDER_REVIEW',
};

const ended = async (
  order: EscrowedOrder,
  closeReason: string,
  escrow: string,
  [buyer, seller]: [string, string],
) => {
  const closed = { status: 'CLOSED', closeReason, escrow, dispute: 'RESOLVED' };
  expect(await statesOf(world, market, order)).toEqual(closed);
  expect(await balanceOf(world, market, order.buyerId)).toBe(`${buyer} 0.00`);
  expect(await balanceOf(world, market, order.sellerId)).toBe(`${seller} 0.00`);
};

describe('resolving a dispute', () => {
  it.each([0, 1, 3])('releases for the seller, with %i milestones left open', async (count) => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW', {
      milestones: milestonesOf(count),
    });
    const dispute = await resolve(order, { decision: 'FULL_RELEASE', note: 'clear case' });
    expect(dispute).toMatchObject({ status: 'RESOLVED', claim: { note: 'clear case' } });
    await ended(order, 'RELEASED', 'RELEASED', ['0.00', '95.00']);
  });

  it.each([0, 1, 3])('refunds for the buyer, with %i milestones', async (count) => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW', {
      milestones: milestonesOf(count),
    });
    await resolve(order, { decision: 'FULL_REFUND' });
    await ended(order, 'REFUNDED', 'REFUNDED', ['100.00', '0.00']);
  });

  it.each([0, 1, 3])('pays both by a split, with %i milestones', async (count) => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW', {
      milestones: milestonesOf(count),
    });
    await resolve(order, split('70.00', '30.00'));
    await ended(order, 'SPLIT', 'RELEASED', ['30.00', '66.50']);
    const parts = Math.max(count, 1);
    const each = Array.from({ length: parts }, () => ['dispute', 'resolve']).flat();
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', ...each]);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, order.buyerId)).toBe(300_000_000n);
    expect(await stroopsAt(world, order.sellerId)).toBe(665_000_000n);
  });

  it('emits each part and the decision, and names the resolver', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    const { id: orderId, disputeId, buyerId, sellerId } = order;
    const call = oneCall(market);
    await resolveDispute(world.app, call, disputeId, { ...split('60.00', '40.00'), note: 'n' });
    const events = await eventsOf(world, call);
    expect(events.map(({ type }) => type)).toEqual([
      'escrow.released',
      'balance.credited',
      'order.released',
      'escrow.refunded',
      'balance.credited',
      'order.refunded',
      'dispute.resolved',
      'order.closed',
    ]);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { orderId, sellerId, amount: '60.00' },
      { userId: sellerId, amount: '57.00' },
      { orderId, sellerId, amount: '57.00', newSellerBalance: '57.00' },
      { orderId, buyerId, amount: '40.00' },
      { userId: buyerId, amount: '40.00' },
      { orderId, buyerId, amount: '40.00', newBuyerBalance: '40.00' },
      {
        disputeId,
        orderId,
        decision: 'SPLIT',
        decisionNote: 'n',
        resolvedBy: market.keyId,
        buyerAmount: '40.00',
        sellerAmount: '60.00',
      },
      { orderId, finalStatus: 'SPLIT' },
    ]);
    expect((await auditedBy(world, call)).map(({ action }) => action)).toEqual([
      'DISPUTE_DECISION_CLAIMED',
      'ORDER_RELEASED',
      'ORDER_REFUNDED',
      'DISPUTE_RESOLVED',
    ]);
  });

  it('clears the claim when the network refuses, and allows another decision', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'resolve', 'reject');
    const call = oneCall(market);
    const refused = resolveDispute(world.app, call, order.disputeId, { decision: 'FULL_REFUND' });
    expect((await refusalOf(refused)).code).toBe('INTERNAL_ERROR');
    expect(await statesOf(world, market, order)).toEqual(REVIEWED);
    expect((await getDispute(world.app, market.call, order.disputeId)).claim).toBeNull();
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'DISPUTE_DECISION_CLAIMED' },
      { action: 'DISPUTE_RESOLUTION_FAILED', resource: order.disputeId, result: 'FAILURE' },
    ]);
    // The contract is disputed on the network by now: this release is a resolution there.
    await resolve(order, { decision: 'FULL_RELEASE' });
    await ended(order, 'RELEASED', 'RELEASED', ['0.00', '95.00']);
  });

  it('is unknown when a reply is lost, blocks other decisions, and ends by itself', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'resolve', 'drop-after');
    expect((await refusalOf(resolve(order, split('60.00', '40.00')))).code).toBe(
      'PROVIDER_TIMEOUT',
    );
    expect(await statesOf(world, market, order)).toEqual(REVIEWED);
    expect((await refusalOf(resolve(order, { decision: 'FULL_REFUND' }))).code).toBe(
      'INVALID_STATE',
    );
    await world.engine.runWorker();
    await ended(order, 'SPLIT', 'RELEASED', ['40.00', '57.00']);
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
  });

  it.each([
    ['FULL_REFUND', { decision: 'FULL_REFUND' }, 'REFUNDED', 'REFUNDED', ['100.00', '0.00']],
    ['SPLIT', split('60.00', '40.00'), 'SPLIT', 'RELEASED', ['40.00', '57.00']],
    ['FULL_RELEASE', { decision: 'FULL_RELEASE' }, 'RELEASED', 'RELEASED', ['0.00', '95.00']],
  ] as const)(
    'waits, for %s, until the contract shows its money',
    async (_, input, closeReason, escrow, paid) => {
      const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
      await world.sandbox.arm('escrow', 'read', 'stale', 2);
      expect((await refusalOf(resolve(order, input))).code).toBe('PROVIDER_TIMEOUT');
      expect(await statesOf(world, market, order)).toEqual(REVIEWED);
      expect(await world.engine.runWorker()).toBe(0);
      await ended(order, closeReason, escrow, [...paid]);
    },
  );

  it('never rolls back a part that was paid', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW', {
      milestones: milestonesOf(3),
    });
    await world.sandbox.arm('escrow', 'resolve', 'drop-after');
    await refusalOf(resolve(order, split('45.00', '55.00')));
    await world.sandbox.arm('escrow', 'resolve', 'reject', 2);
    await world.engine.runWorker();
    await ended(order, 'SPLIT', 'RELEASED', ['55.00', '42.75']);
    const each = ['dispute', 'resolve'];
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', ...each, ...each, ...each]);
  });

  it('lets one of nine resolvers at once win', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    const inputs = [{ decision: 'FULL_RELEASE' }, { decision: 'FULL_REFUND' }] as const;
    const nine = [...inputs, ...inputs, ...inputs, ...inputs, split('60.00', '40.00')];
    const results = await Promise.allSettled(nine.map((input) => resolve(order, input)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason.code).toBe('INVALID_STATE');
  });

  it('is refused when there is nothing to decide, and changes nothing', async () => {
    const open = await escrowOrderIn(world, market, 'DISPUTED');
    const closed = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    await resolve(closed, { decision: 'FULL_REFUND' });
    const before = await snapshotDatabase(world);
    expect((await refusalOf(resolve(open, { decision: 'FULL_REFUND' }))).code).toBe(
      'INVALID_STATE',
    );
    expect((await refusalOf(resolve(closed, split('50.00', '50.00')))).code).toBe('INVALID_STATE');
    const unknown = { ...open, disputeId: 'dsp_00000000000000000000000000' };
    expect((await refusalOf(resolve(unknown as never, { decision: 'FULL_REFUND' }))).code).toBe(
      'DISPUTE_NOT_FOUND',
    );
    expect(await snapshotDatabase(world)).toEqual(before);
  });
});

describe('resolving with an Idempotency-Key', () => {
  const send = (order: EscrowedOrder, key: string, body: object) =>
    market.send('POST', `/disputes/${order.disputeId}/resolve`, {
      body,
      headers: { 'idempotency-key': key },
    });

  it('returns the same bytes for a repeated request', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    const key = randomUUID();
    const first = await send(order, key, { decision: 'FULL_REFUND' });
    expect([first.status, first.headers['idempotency-replay']]).toEqual([200, undefined]);
    const again = await send(order, key, { decision: 'FULL_REFUND' });
    expect([again.status, again.headers['idempotency-replay']]).toEqual([200, 'true']);
    expect(again.text).toBe(first.text);
    const other = await send(order, key, { decision: 'FULL_RELEASE' });
    expect(other.json.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    await ended(order, 'REFUNDED', 'REFUNDED', ['100.00', '0.00']);
  });

  it('returns the same 504 while it is open, then the result', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'resolve', 'drop-before', 1);
    const key = randomUUID();
    const body = { decision: 'FULL_REFUND' };
    const first = await send(order, key, body);
    expect([first.status, first.json.error.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
    const again = await send(order, key, body);
    expect([again.status, again.text]).toEqual([504, first.text]);
    await world.engine.runWorker();
    const later = await send(order, key, body);
    expect([later.status, later.json.data.data.status]).toEqual([200, 'RESOLVED']);
    expect((await send(order, key, body)).text).toBe(later.text);
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
  });

  it('returns its refusal for a refused one, and does nothing again', async () => {
    const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'dispute', 'reject');
    const key = randomUUID();
    const first = await send(order, key, { decision: 'FULL_REFUND' });
    expect([first.status, first.json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    const again = await send(order, key, { decision: 'FULL_REFUND' });
    expect([again.status, again.text]).toEqual([500, first.text]);
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
    expect((await send(order, randomUUID(), { decision: 'FULL_REFUND' })).status).toBe(200);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
