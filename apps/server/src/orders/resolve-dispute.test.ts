import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { auditedBy, imprint, oneCall, toldBy } from '../testing/orders.ts';
import type { Market } from '../testing/world.ts';
import type { DecisionWish } from './decision.ts';
import { getDispute } from './get-dispute.ts';
import { resolveDispute } from './resolve-dispute.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
});
afterAll(() => world.close());
beforeEach(() => world.sandbox.clearFaults());

const resolve = ({ disputeId }: EscrowedDeal, wish: DecisionWish) =>
  resolveDispute(world.app, market.call, disputeId, wish);
const split = (releaseAmount: string, refundAmount: string): DecisionWish => ({
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
  deal: EscrowedDeal,
  closeReason: string,
  escrow: string,
  [buyer, seller]: [string, string],
) => {
  const closed = { status: 'CLOSED', closeReason, escrow, dispute: 'RESOLVED' };
  expect(await lookAt(world, market, deal)).toEqual(closed);
  expect(await balanceOf(world, market, deal.buyerId)).toBe(`${buyer} 0.00`);
  expect(await balanceOf(world, market, deal.sellerId)).toBe(`${seller} 0.00`);
};

describe('resolving a dispute', () => {
  it.each([0, 1, 3])('for the seller releases, with %i milestones left open', async (count) => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW', { milestones: stones(count) });
    const dispute = await resolve(deal, { decision: 'FULL_RELEASE', note: 'clear case' });
    expect(dispute).toMatchObject({ status: 'RESOLVED', claim: { note: 'clear case' } });
    await ended(deal, 'RELEASED', 'RELEASED', ['0.00', '95.00']);
  });

  it.each([0, 1, 3])('for the buyer refunds, with %i milestones', async (count) => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW', { milestones: stones(count) });
    await resolve(deal, { decision: 'FULL_REFUND' });
    await ended(deal, 'REFUNDED', 'REFUNDED', ['100.00', '0.00']);
  });

  it.each([0, 1, 3])('by a split pays both, with %i milestones', async (count) => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW', { milestones: stones(count) });
    await resolve(deal, split('70.00', '30.00'));
    await ended(deal, 'SPLIT', 'RELEASED', ['30.00', '66.50']);
    const parts = Math.max(count, 1);
    const each = Array.from({ length: parts }, () => ['dispute', 'resolve']).flat();
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', ...each]);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, deal.buyerId)).toBe(300_000_000n);
    expect(await stroopsAt(world, deal.sellerId)).toBe(665_000_000n);
  });

  it('tells each part and the decision, and names the resolver', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    const { id: orderId, disputeId, buyerId, sellerId } = deal;
    const call = oneCall(market);
    await resolveDispute(world.app, call, disputeId, { ...split('60.00', '40.00'), note: 'n' });
    const told = await toldBy(world, call);
    expect(told.map(({ type }) => type)).toEqual([
      'escrow.released',
      'balance.credited',
      'order.released',
      'escrow.refunded',
      'balance.credited',
      'order.refunded',
      'dispute.resolved',
      'order.closed',
    ]);
    expect(told.map(({ payload }) => payload)).toMatchObject([
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

  it('that the network refuses clears the claim, and can be decided otherwise', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'resolve', 'reject');
    const call = oneCall(market);
    const refused = resolveDispute(world.app, call, deal.disputeId, { decision: 'FULL_REFUND' });
    expect((await refusalOf(refused)).code).toBe('INTERNAL_ERROR');
    expect(await lookAt(world, market, deal)).toEqual(REVIEWED);
    expect((await getDispute(world.app, market.call, deal.disputeId)).claim).toBeNull();
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'DISPUTE_DECISION_CLAIMED' },
      { action: 'DISPUTE_RESOLUTION_FAILED', resource: deal.disputeId, result: 'FAILURE' },
    ]);
    // The contract is disputed on the network by now: this release is a resolution there.
    await resolve(deal, { decision: 'FULL_RELEASE' });
    await ended(deal, 'RELEASED', 'RELEASED', ['0.00', '95.00']);
  });

  it('is unknown when an answer is lost: nobody else decides, and it ends by itself', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'resolve', 'drop-after');
    expect((await refusalOf(resolve(deal, split('60.00', '40.00')))).code).toBe('PROVIDER_TIMEOUT');
    expect(await lookAt(world, market, deal)).toEqual(REVIEWED);
    expect((await refusalOf(resolve(deal, { decision: 'FULL_REFUND' }))).code).toBe(
      'INVALID_STATE',
    );
    await world.engine.runWorker();
    await ended(deal, 'SPLIT', 'RELEASED', ['40.00', '57.00']);
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
  });

  it.each([
    ['FULL_REFUND', { decision: 'FULL_REFUND' }, 'REFUNDED', 'REFUNDED', ['100.00', '0.00']],
    ['SPLIT', split('60.00', '40.00'), 'SPLIT', 'RELEASED', ['40.00', '57.00']],
    ['FULL_RELEASE', { decision: 'FULL_RELEASE' }, 'RELEASED', 'RELEASED', ['0.00', '95.00']],
  ] as const)(
    'by %s waits until the contract shows its money',
    async (_, wish, closeReason, escrow, paid) => {
      const deal = await dealIn(world, market, 'UNDER_REVIEW');
      await world.sandbox.arm('escrow', 'read', 'stale', 2);
      expect((await refusalOf(resolve(deal, wish))).code).toBe('PROVIDER_TIMEOUT');
      expect(await lookAt(world, market, deal)).toEqual(REVIEWED);
      expect(await world.engine.runWorker()).toBe(0);
      await ended(deal, closeReason, escrow, [...paid]);
    },
  );

  it('never takes back a part that was paid', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW', { milestones: stones(3) });
    await world.sandbox.arm('escrow', 'resolve', 'drop-after');
    await refusalOf(resolve(deal, split('45.00', '55.00')));
    await world.sandbox.arm('escrow', 'resolve', 'reject', 2);
    await world.engine.runWorker();
    await ended(deal, 'SPLIT', 'RELEASED', ['55.00', '42.75']);
    const each = ['dispute', 'resolve'];
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', ...each, ...each, ...each]);
  });

  it('by nine at once is won by one', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    const wishes = [{ decision: 'FULL_RELEASE' }, { decision: 'FULL_REFUND' }] as const;
    const nine = [...wishes, ...wishes, ...wishes, ...wishes, split('60.00', '40.00')];
    const answers = await Promise.allSettled(nine.map((wish) => resolve(deal, wish)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason.code).toBe('INVALID_STATE');
  });

  it('is refused where nothing is to be decided, and changes nothing', async () => {
    const open = await dealIn(world, market, 'DISPUTED');
    const closed = await dealIn(world, market, 'UNDER_REVIEW');
    await resolve(closed, { decision: 'FULL_REFUND' });
    const before = await imprint(world);
    expect((await refusalOf(resolve(open, { decision: 'FULL_REFUND' }))).code).toBe(
      'INVALID_STATE',
    );
    expect((await refusalOf(resolve(closed, split('50.00', '50.00')))).code).toBe('INVALID_STATE');
    const unknown = { ...open, disputeId: 'dsp_00000000000000000000000000' };
    expect((await refusalOf(resolve(unknown as never, { decision: 'FULL_REFUND' }))).code).toBe(
      'DISPUTE_NOT_FOUND',
    );
    expect(await imprint(world)).toEqual(before);
  });
});

describe('resolving with an Idempotency-Key', () => {
  const send = (deal: EscrowedDeal, key: string, body: object) =>
    market.send('POST', `/disputes/${deal.disputeId}/resolve`, {
      body,
      headers: { 'idempotency-key': key },
    });

  it('answers a repeat to the byte', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    const key = randomUUID();
    const first = await send(deal, key, { decision: 'FULL_REFUND' });
    expect([first.status, first.headers['idempotency-replay']]).toEqual([200, undefined]);
    const again = await send(deal, key, { decision: 'FULL_REFUND' });
    expect([again.status, again.headers['idempotency-replay']]).toEqual([200, 'true']);
    expect(again.text).toBe(first.text);
    const other = await send(deal, key, { decision: 'FULL_RELEASE' });
    expect(other.json.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    await ended(deal, 'REFUNDED', 'REFUNDED', ['100.00', '0.00']);
  });

  it('answers the same 504 while it is open, then what became of it', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'resolve', 'drop-before', 1);
    const key = randomUUID();
    const body = { decision: 'FULL_REFUND' };
    const first = await send(deal, key, body);
    expect([first.status, first.json.error.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
    const again = await send(deal, key, body);
    expect([again.status, again.text]).toEqual([504, first.text]);
    await world.engine.runWorker();
    const later = await send(deal, key, body);
    expect([later.status, later.json.data.data.status]).toEqual([200, 'RESOLVED']);
    expect((await send(deal, key, body)).text).toBe(later.text);
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
  });

  it('answers a refused one with its refusal, and does nothing again', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    await world.sandbox.arm('escrow', 'dispute', 'reject');
    const key = randomUUID();
    const first = await send(deal, key, { decision: 'FULL_REFUND' });
    expect([first.status, first.json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    const again = await send(deal, key, { decision: 'FULL_REFUND' });
    expect([again.status, again.text]).toEqual([500, first.text]);
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund']);
    expect((await send(deal, randomUUID(), { decision: 'FULL_REFUND' })).status).toBe(200);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
