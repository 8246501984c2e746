import type { DisputeId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { assignDispute } from './assign-dispute.ts';
import { createDisputeEvidence } from './create-dispute-evidence.ts';
import { createDisputeNote } from './create-dispute-note.ts';
import { getDispute, listDisputeNotes } from './read-disputes.ts';

const world = useWorld();

async function disputed(market: Market, input: Parameters<typeof orderIn>[3] = {}) {
  const order = await orderIn(world, market, 'DISPUTED', input);
  return { ...order, disputeId: order.disputeId as DisputeId };
}

const readerOf = (market: Market) => {
  const list = async (query: string) => (await market.send('GET', `/disputes?${query}`)).json.data;
  const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
  return { list, ids };
};

it('returns a dispute', async () => {
  const market = await world.market();
  const { id: orderId, disputeId } = await disputed(market);
  expect(await getDispute(world.app, market.call, disputeId)).toMatchObject({
    id: disputeId,
    orderId,
    status: 'OPEN',
    openedBy: 'BUYER',
    reason: 'NOT_DELIVERED',
    evidence: null,
    assignedTo: null,
  });
});

describe('the list of disputes', () => {
  it('filters by status, buyer, seller and time, newest first', async () => {
    const market = await world.market();
    const one = await disputed(market);
    const two = await disputed(market, { sellerId: one.sellerId });
    await assignDispute(world.app, market.call, one.disputeId, { assignedTo: 'agent-1' });
    const { ids } = readerOf(market);
    for (const [query, found] of [
      ['', [two, one]],
      ['status=OPEN', [two]],
      ['status=UNDER_REVIEW', [one]],
      ['status=RESOLVED', []],
      [`buyer_id=${one.buyerId}`, [one]],
      [`seller_id=${one.sellerId}`, [two, one]],
      [`seller_id=${one.sellerId}&buyer_id=${two.buyerId}`, [two]],
      [`limit=1&cursor=${two.disputeId}`, [one]],
      ['created_before=2020-01-01', []],
    ] as const)
      expect(await ids(query), query).toEqual(found.map(({ disputeId }) => disputeId));
    expect((await market.send('GET', '/disputes?status=NOPE')).status).toBe(400);
  });

  it('is sorted in reverse with sort=oldest, page by page, and shows each order', async () => {
    const market = await world.market();
    const created = [];
    for (const title of ['A harp', 'A shed', 'A boat'])
      created.push(await disputed(market, { title, amount: '12.50' }));
    const [first, second, third] = created.map(({ disputeId }) => disputeId);
    const { list, ids } = readerOf(market);
    expect(await ids('sort=oldest')).toEqual([first, second, third]);
    const page = await list('sort=oldest&limit=2&status=OPEN');
    expect(page.data).toMatchObject([
      { id: first, orderTitle: 'A harp', amount: '12.50', currency: 'USD' },
      { id: second, orderTitle: 'A shed' },
    ]);
    const buyer = `buyer_id=${created[1]?.buyerId}`;
    for (const [query, found] of [
      [`limit=2&status=OPEN&cursor=${page.nextCursor}`, [third]],
      [`cursor=${first}`, [second, third]],
      [buyer, [second]],
      [`${buyer}&cursor=${second}`, []],
      ['created_before=2020-01-01', []],
    ] as const)
      expect(await ids(`sort=oldest&${query}`), query).toEqual(found);
    expect((await market.send('GET', '/disputes?sort=up')).status).toBe(400);
  });

  it('filters by assignee, in either direction', async () => {
    const market = await world.market();
    const [one, two] = [await disputed(market), await disputed(market)];
    for (const [{ disputeId }, assignedTo] of [
      [one, 'sam@example.com'],
      [two, 'susan@example.com'],
    ] as const)
      await market.send('POST', `/disputes/${disputeId}/assign`, { body: { assignedTo } });
    const { ids } = readerOf(market);
    for (const query of ['', '&sort=oldest', '&status=UNDER_REVIEW', `&buyer_id=${one.buyerId}`])
      expect(await ids(`assigned_to=sam@example.com${query}`)).toEqual([one.disputeId]);
  });
});

it('lists the evidence of both sides, newest first, page by page', async () => {
  const market = await world.market();
  const { disputeId } = await disputed(market);
  for (const party of ['BUYER', 'SELLER', 'BUYER'] as const)
    await createDisputeEvidence(world.app, market.call, disputeId, { party, statement: party });
  const page = async (query: string) =>
    (await market.send('GET', `/disputes/${disputeId}/evidence?limit=2${query}`)).json.data;
  const first = await page('');
  expect(first.data).toMatchObject([
    { party: 'BUYER', statement: 'BUYER', evidence: [], addedBy: market.keyId },
    { party: 'SELLER' },
  ]);
  expect((await page(`&cursor=${first.nextCursor}`)).data).toMatchObject([{ party: 'BUYER' }]);
});

it('lists the notes of one dispute, newest first, page by page', async () => {
  const market = await world.market();
  const { disputeId } = await disputed(market);
  const other = await disputed(market);
  for (const text of ['one', 'two', 'three'])
    await createDisputeNote(world.app, market.call, disputeId, { text });
  await createDisputeNote(world.app, market.call, other.disputeId, { text: 'elsewhere' });
  const list = (query: { limit?: string; cursor?: string }) =>
    listDisputeNotes(world.app, market.call, disputeId, query);
  const first = await list({ limit: '2' });
  expect(first.items.map(({ text }) => text)).toEqual(['three', 'two']);
  const rest = await list({ cursor: first.nextCursor ?? '' });
  expect(rest.items.map(({ text }) => text)).toEqual(['one']);
});
