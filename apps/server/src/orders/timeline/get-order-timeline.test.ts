import { beforeAll, describe, expect, it } from 'vitest';
import {
  completeAll,
  type EscrowedOrder,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
} from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { orderIn } from '../../testing/orders.ts';
import { useMarketIn } from '../../testing/use-world.ts';
import {
  notificationOf,
  openWebhookWorld,
  sendSigned,
  settleWebhooks,
} from '../../testing/webhooks.ts';
import { resolveDispute } from '../disputes/resolve-dispute.ts';
import { createEscrow } from '../escrow/create-escrow.ts';
import { fundEscrow } from '../escrow/fund-escrow.ts';
import { refundOrder } from '../settlement/refund-order.ts';
import { releaseOrder } from '../settlement/release-order.ts';
import { getOrderTimeline } from './get-order-timeline.ts';
import type { TimelineItem } from './timeline-items.ts';

const { world, market } = useMarketIn(openWebhookWorld);

const timelineOf = async ({ id }: Pick<EscrowedOrder, 'id'>) =>
  (await getOrderTimeline(world.app, market.call, id, { limit: '100' })).items;
const titles = (items: readonly TimelineItem[], kind: TimelineItem['kind']) =>
  items.filter((item) => item.kind === kind).map(({ title }) => title);

it('masks addresses in a reason for an operator, and not for a key', async () => {
  const { id } = await orderIn(world, market, 'FUNDS_RESERVED');
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  const headers = { 'x-holdfast-reason': 'ada@example.com requested it' };
  await support.send('POST', `/orders/${id}/cancel`, { headers });
  const path = `/orders/${id}/timeline?limit=100`;
  expect((await market.send('GET', path)).text).toContain('ada@example.com requested it');
  const { text } = await support.send('GET', path);
  expect(text).toContain('a•••@e•••.com requested it');
  expect(text).not.toContain('ada@');
});

describe('getting the timeline of an order', () => {
  let order: EscrowedOrder;
  let items: readonly TimelineItem[];
  beforeAll(async () => {
    order = await escrowOrderIn(world, market, 'IN_PROGRESS', { milestones: milestonesOf(1) });
    await completeAll(world, market, order);
    await releaseOrder(world.app, market.call, order.id, { reason: 'well done' });
    await settleWebhooks(world);
    items = await timelineOf(order);
  });

  it('shows every call, with its key and its request', () => {
    const calls = items.filter(({ kind }) => kind === 'api_call');
    expect(calls.map(({ detail }) => detail['action'])).toEqual([
      'ORDER_CREATED',
      'ORDER_FUNDS_RESERVED',
      'ESCROW_CREATE_REQUESTED',
      'ESCROW_FUNDING_STARTED',
      'MILESTONE_COMPLETED',
      'RELEASE_REQUESTED',
    ]);
    for (const { cause } of calls)
      expect(cause).toEqual({ actorId: market.keyId, requestId: expect.any(String) });
    expect(calls.at(-1)?.detail).toMatchObject({ reason: 'well done', result: 'SUCCESS' });
  });

  it('shows every state change', () => {
    expect(titles(items, 'state')).toEqual([
      'order is ORDER_CREATED',
      'order changed from ORDER_CREATED to FUNDS_RESERVED',
      'order changed from FUNDS_RESERVED to ESCROW_CREATING',
      'escrow changed from CREATING to CREATED',
      'order changed from ESCROW_CREATING to ESCROW_FUNDING',
      'escrow changed from CREATED to FUNDING',
      'escrow changed from FUNDING to FUNDED',
      'order changed from ESCROW_FUNDING to IN_PROGRESS',
      'milestone m1 changed from OPEN to COMPLETED',
      'order changed from IN_PROGRESS to RELEASE_REQUESTED',
      'order changed from RELEASE_REQUESTED to CLOSED',
    ]);
  });

  it('shows every posting, with its source and its destination', () => {
    expect(titles(items, 'posting')).toEqual([
      '100.00 USD: funds reserved for order',
      '100.00 USD: escrow funded',
      '95.00 USD: released to seller',
      '5.00 USD: marketplace fee',
    ]);
    const [, , paid] = items.filter(({ kind }) => kind === 'posting');
    expect(paid?.detail).toMatchObject({
      amount: '95.00',
      from: { kind: 'escrow', ownerId: order.id, bucket: 'available' },
      to: { kind: 'user', ownerId: order.sellerId, bucket: 'available' },
    });
  });

  it('shows the provider calls and the network transactions by operation', () => {
    const sent = items.filter(({ kind }) => kind === 'ledger_transaction');
    const steps = ['deploy', 'cover-1', 'fund', 'complete-1', 'approve-1', 'release'];
    expect(sent.map(({ detail }) => detail['step'])).toEqual(steps);
    for (const { detail, cause } of sent) {
      expect(detail).toMatchObject({ state: 'APPLIED', hash: expect.stringMatching(/^\w{64}$/) });
      expect(cause.operationId).toMatch(/^op_/);
    }
    expect(titles(items, 'provider_call')).toEqual(
      expect.arrayContaining([
        'Create escrow: deploy the contract',
        'Fund escrow: fund the contract',
        'Release order: read the contract',
      ]),
    );
    expect(titles(items, 'ledger_transaction')).toContain(
      'Fund escrow: transfer to the buyer’s address, transaction confirmed',
    );
  });

  it('shows the webhooks, and names them as the cause of effects', () => {
    const webhooks = items.filter(({ kind }) => kind === 'webhook');
    expect(webhooks.map(({ detail }) => detail['type'])).toEqual([
      'escrow.created',
      'escrow.funded',
      'escrow.milestone_completed',
      'escrow.released',
    ]);
    for (const { cause } of webhooks) expect(cause.webhookId).toMatch(/^evt_/);
    const moved = items.find(({ title }) => title.endsWith('to IN_PROGRESS'));
    expect(moved?.cause).toMatchObject({ actorId: 'system', operationId: expect.any(String) });
  });

  it('sorts by time, causes before effects, and is the same page by page', async () => {
    const times = items.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const paged: TimelineItem[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '7', ...(cursor === undefined ? {} : { cursor }) };
      const page = await getOrderTimeline(world.app, market.call, order.id, query);
      paged.push(...page.items);
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(items);
  });
});

it('names the webhook that made a change', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS', { milestones: milestonesOf(2) });
  const fields = { milestone_ref: 'm2' };
  const sent = await notificationOf(world, market, order, 'escrow.milestone_completed', fields);
  await sendSigned(world, sent);
  const items = await timelineOf(order);
  const moved = items.find(({ title }) => title === 'milestone m2 changed from OPEN to COMPLETED');
  expect(moved?.cause).toMatchObject({ webhookId: sent.event_id, actorId: 'escrow-provider' });
  const [applied] = items.filter(({ detail }) => detail['status'] === 'APPLIED');
  expect(applied?.cause).toMatchObject({ webhookId: sent.event_id });
});

it('shows refusals with their reason, archived escrows and failed attempts', async () => {
  const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
  await world.sandbox.arm('escrow', 'fund', 'reject');
  await refusalOf(fundEscrow(world.app, market.call, order.id));
  await createEscrow(world.app, market.call, order.id);
  await fundEscrow(world.app, market.call, order.id);
  const items = await timelineOf(order);
  expect(titles(items, 'state')).toContain('order changed from ESCROW_FUNDING to FUNDS_RESERVED');
  expect(titles(items, 'posting')).toContain('100.00 USD: escrow funding reversed');
  const sent = items.filter(({ kind }) => kind === 'ledger_transaction');
  expect(sent.map(({ detail }) => `${String(detail['step'])} ${String(detail['state'])}`)).toEqual([
    'deploy APPLIED',
    'cover-1 APPLIED',
    'fund FAILED',
    'deploy APPLIED',
    'fund APPLIED',
  ]);
  const [refused] = items.filter(({ detail }) => detail['code'] !== undefined);
  expect(refused).toMatchObject({ kind: 'provider_call', detail: { status: 'REFUSED' } });
});

it('shows who disputed and who decided', async () => {
  const order = await escrowOrderIn(world, market, 'UNDER_REVIEW');
  const input = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' } as const;
  await resolveDispute(world.app, market.call, order.disputeId, { ...input, note: 'both err' });
  const items = await timelineOf(order);
  const people = items.filter(({ kind }) => kind === 'person');
  expect(people.map(({ detail }) => detail['action'])).toEqual([
    'DISPUTE_OPENED',
    'DISPUTE_ASSIGNED',
    'DISPUTE_DECISION_CLAIMED',
  ]);
  expect(people.at(-1)?.detail).toMatchObject({ reason: 'both err' });
  // Two entries of one transaction have the same state change: it is shown once.
  const closed = titles(items, 'state').filter((title) => title.endsWith('to CLOSED'));
  expect(closed).toEqual(['order changed from DISPUTED to CLOSED']);
  expect(titles(items, 'state')).toContain('dispute changed from UNDER_REVIEW to RESOLVED');
});

it('shows nothing of other orders, and nothing to other marketplaces', async () => {
  const [ours, other] = [
    await orderIn(world, market, 'IN_PROGRESS'),
    await orderIn(world, market, 'IN_PROGRESS'),
  ];
  expect(JSON.stringify(await timelineOf(ours))).not.toContain(other.id);
  const otherMarket = await world.market();
  const reading = getOrderTimeline(world.app, otherMarket.call, ours.id, {});
  expect((await refusalOf(reading)).code).toBe('ORDER_NOT_FOUND');
});

it('refuses a cursor that is not its own', async () => {
  const { id } = await orderIn(world, market, 'ORDER_CREATED');
  for (const cursor of ['x', 'W10', Buffer.from('[1,"2",3]').toString('base64url')])
    expect((await refusalOf(getOrderTimeline(world.app, market.call, id, { cursor }))).code).toBe(
      'VALIDATION_ERROR',
    );
});

it('continues after a refund that was refused', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
  await world.sandbox.arm('escrow', 'resolve', 'reject');
  await refusalOf(refundOrder(world.app, market.call, order.id, { reason: 'r' }));
  await releaseOrder(world.app, market.call, order.id);
  const kinds = new Set((await timelineOf(order)).map(({ cause }) => cause.operationId));
  expect(kinds.size).toBeGreaterThan(4);
});
