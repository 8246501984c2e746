import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeAll, dealIn, type EscrowedDeal, refusalOf, stones } from '../testing/escrows.ts';
import { desk } from '../testing/operators.ts';
import { orderIn } from '../testing/orders.ts';
import {
  noticeOf,
  openWebhookWorld,
  sendSigned,
  settleWebhooks,
  type WebhookWorld,
} from '../testing/webhooks.ts';
import type { Market } from '../testing/world.ts';
import { createEscrow } from './create-escrow.ts';
import { fundEscrow } from './fund-escrow.ts';
import { getOrderTimeline } from './get-order-timeline.ts';
import { refundOrder } from './refund-order.ts';
import { releaseOrder } from './release-order.ts';
import { resolveDispute } from './resolve-dispute.ts';
import type { TimelineItem } from './timeline-items.ts';

let world: WebhookWorld;
let market: Market;
beforeAll(async () => {
  world = await openWebhookWorld();
  market = await world.market();
});
afterAll(() => world.close());

const storyOf = async ({ id }: Pick<EscrowedDeal, 'id'>) =>
  (await getOrderTimeline(world.app, market.call, id, { limit: '100' })).items;
const titles = (items: readonly TimelineItem[], kind: TimelineItem['kind']) =>
  items.filter((item) => item.kind === kind).map(({ title }) => title);

it('shows an operator nobody’s address in why somebody did it; a key sees it', async () => {
  const { id } = await orderIn(world, market, 'FUNDS_RESERVED');
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  const headers = { 'x-holdfast-reason': 'ada@example.com asked for it' };
  await support.send('POST', `/orders/${id}/cancel`, { headers });
  const path = `/orders/${id}/timeline?limit=100`;
  expect((await market.send('GET', path)).text).toContain('ada@example.com asked for it');
  const { text } = await support.send('GET', path);
  expect(text).toContain('a•••@e•••.com asked for it');
  expect(text).not.toContain('ada@');
});

describe('the story of an order', () => {
  let deal: EscrowedDeal;
  let items: readonly TimelineItem[];
  beforeAll(async () => {
    deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(1) });
    await completeAll(world, market, deal);
    await releaseOrder(world.app, market.call, deal.id, { reason: 'well done' });
    await settleWebhooks(world);
    items = await storyOf(deal);
  });

  it('tells every call, with its key and its request', () => {
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

  it('tells every move of a state', () => {
    expect(titles(items, 'state')).toEqual([
      'order is ORDER_CREATED',
      'order from ORDER_CREATED to FUNDS_RESERVED',
      'order from FUNDS_RESERVED to ESCROW_CREATING',
      'escrow from CREATING to CREATED',
      'order from ESCROW_CREATING to ESCROW_FUNDING',
      'escrow from CREATED to FUNDING',
      'escrow from FUNDING to FUNDED',
      'order from ESCROW_FUNDING to IN_PROGRESS',
      'milestone m1 from OPEN to COMPLETED',
      'order from IN_PROGRESS to RELEASE_REQUESTED',
      'order from RELEASE_REQUESTED to CLOSED',
    ]);
  });

  it('tells every posting, with who had it and who has it', () => {
    expect(titles(items, 'posting')).toEqual([
      '100.00 USD: order hold',
      '100.00 USD: escrow fund',
      '95.00 USD: order release',
      '5.00 USD: order fee',
    ]);
    const [, , paid] = items.filter(({ kind }) => kind === 'posting');
    expect(paid?.detail).toMatchObject({
      amount: '95.00',
      from: { kind: 'escrow', ownerId: deal.id, bucket: 'available' },
      to: { kind: 'user', ownerId: deal.sellerId, bucket: 'available' },
    });
  });

  it('tells what was asked of the provider and what the network has, by operation', () => {
    const sent = items.filter(({ kind }) => kind === 'ledger_transaction');
    const steps = ['deploy', 'cover-1', 'fund', 'complete-1', 'approve-1', 'release'];
    expect(sent.map(({ detail }) => detail['step'])).toEqual(steps);
    for (const { detail, cause } of sent) {
      expect(detail).toMatchObject({ state: 'APPLIED', hash: expect.stringMatching(/^\w{64}$/) });
      expect(cause.operationId).toMatch(/^op_/);
    }
    expect(titles(items, 'provider_call')).toEqual(
      expect.arrayContaining(['create-escrow: deploy', 'fund-escrow: fund', 'release-order: read']),
    );
  });

  it('tells the webhooks, and what an operation did names it', () => {
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

  it('is in order of time, what causes before what is caused, and the same page by page', async () => {
    const times = items.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const paged: TimelineItem[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '7', ...(cursor === undefined ? {} : { cursor }) };
      const page = await getOrderTimeline(world.app, market.call, deal.id, query);
      paged.push(...page.items);
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(items);
  });
});

it('names the webhook that made a change', async () => {
  const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(2) });
  const fields = { milestone_ref: 'm2' };
  const sent = await noticeOf(world, market, deal, 'escrow.milestone_completed', fields);
  await sendSigned(world, sent);
  const items = await storyOf(deal);
  const moved = items.find(({ title }) => title === 'milestone m2 from OPEN to COMPLETED');
  expect(moved?.cause).toMatchObject({ webhookId: sent.event_id, actorId: 'escrow-provider' });
  const [told] = items.filter(({ detail }) => detail['status'] === 'APPLIED');
  expect(told?.cause).toMatchObject({ webhookId: sent.event_id });
});

it('tells refusals with their reason, escrows that were given up, and tries that failed', async () => {
  const deal = await dealIn(world, market, 'ESCROW_FUNDING');
  await world.sandbox.arm('escrow', 'fund', 'reject');
  await refusalOf(fundEscrow(world.app, market.call, deal.id));
  await createEscrow(world.app, market.call, deal.id);
  await fundEscrow(world.app, market.call, deal.id);
  const items = await storyOf(deal);
  expect(titles(items, 'state')).toContain('order from ESCROW_FUNDING to FUNDS_RESERVED');
  expect(titles(items, 'posting')).toContain('100.00 USD: escrow unfund');
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

it('tells who disputed and who decided', async () => {
  const deal = await dealIn(world, market, 'UNDER_REVIEW');
  const wish = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' } as const;
  await resolveDispute(world.app, market.call, deal.disputeId, { ...wish, note: 'both err' });
  const items = await storyOf(deal);
  const people = items.filter(({ kind }) => kind === 'person');
  expect(people.map(({ detail }) => detail['action'])).toEqual([
    'DISPUTE_OPENED',
    'DISPUTE_ASSIGNED',
    'DISPUTE_DECISION_CLAIMED',
  ]);
  expect(people.at(-1)?.detail).toMatchObject({ reason: 'both err' });
  // Two entries of one transaction tell the same move: it is told once.
  const closed = titles(items, 'state').filter((title) => title.endsWith('to CLOSED'));
  expect(closed).toEqual(['order from DISPUTED to CLOSED']);
  expect(titles(items, 'state')).toContain('dispute from UNDER_REVIEW to RESOLVED');
});

it('tells nothing of other orders, and nothing to other marketplaces', async () => {
  const [ours, other] = [
    await orderIn(world, market, 'IN_PROGRESS'),
    await orderIn(world, market, 'IN_PROGRESS'),
  ];
  expect(JSON.stringify(await storyOf(ours))).not.toContain(other.id);
  const stranger = await world.market();
  const asked = getOrderTimeline(world.app, stranger.call, ours.id, {});
  expect((await refusalOf(asked)).code).toBe('ORDER_NOT_FOUND');
});

it('refuses a cursor that is not its own', async () => {
  const { id } = await orderIn(world, market, 'ORDER_CREATED');
  for (const cursor of ['x', 'W10', Buffer.from('[1,"2",3]').toString('base64url')])
    expect((await refusalOf(getOrderTimeline(world.app, market.call, id, { cursor }))).code).toBe(
      'VALIDATION_ERROR',
    );
});

it('goes on after a refund that was refused', async () => {
  const deal = await dealIn(world, market, 'IN_PROGRESS');
  await world.sandbox.arm('escrow', 'resolve', 'reject');
  await refusalOf(refundOrder(world.app, market.call, deal.id, { reason: 'r' }));
  await releaseOrder(world.app, market.call, deal.id);
  const kinds = new Set((await storyOf(deal)).map(({ cause }) => cause.operationId));
  expect(kinds.size).toBeGreaterThan(4);
});
