import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { assignDispute } from './assign-dispute.ts';
import { listDisputes } from './list-disputes.ts';

const world = useWorld();

it('filters by status, buyer, seller and time, newest first', async () => {
  const market = await world.market();
  const one = await orderIn(world, market, 'DISPUTED');
  const two = await orderIn(world, market, 'DISPUTED', { sellerId: one.sellerId });
  if (one.disputeId === null) throw new Error('it is disputed');
  await assignDispute(world.app, market.call, one.disputeId, { assignedTo: 'agent-1' });
  const ids = async (query: string) =>
    (await market.send('GET', `/disputes?${query}`)).json.data.data.map(
      (dispute: { id: string }) => dispute.id,
    );
  expect(await ids('')).toEqual([two.disputeId, one.disputeId]);
  expect(await ids('status=OPEN')).toEqual([two.disputeId]);
  expect(await ids('status=UNDER_REVIEW')).toEqual([one.disputeId]);
  expect(await ids('status=RESOLVED')).toEqual([]);
  expect(await ids(`buyer_id=${one.buyerId}`)).toEqual([one.disputeId]);
  expect(await ids(`seller_id=${one.sellerId}`)).toEqual([two.disputeId, one.disputeId]);
  expect(await ids(`seller_id=${one.sellerId}&buyer_id=${two.buyerId}`)).toEqual([two.disputeId]);
  expect(await ids(`limit=1&cursor=${two.disputeId}`)).toEqual([one.disputeId]);
  expect(await ids('created_before=2020-01-01')).toEqual([]);
  expect((await market.send('GET', '/disputes?status=NOPE')).status).toBe(400);
});

it('sorts in reverse with sort=oldest, page by page, and shows each order', async () => {
  const market = await world.market();
  const created = [];
  for (const title of ['A harp', 'A shed', 'A boat'])
    created.push(await orderIn(world, market, 'DISPUTED', { title, amount: '12.50' }));
  const [first, second, third] = created.map(({ disputeId }) => disputeId);
  const list = async (query: string) =>
    (await market.send('GET', `/disputes?sort=oldest&${query}`)).json.data;
  const ids = async (query: string) =>
    (await list(query)).data.map((dispute: { id: string }) => dispute.id);
  expect(await ids('')).toEqual([first, second, third]);
  const page = await list('limit=2&status=OPEN');
  expect(page.data).toMatchObject([
    { id: first, orderTitle: 'A harp', amount: '12.50', currency: 'USD' },
    { id: second, orderTitle: 'A shed' },
  ]);
  expect(await ids(`limit=2&status=OPEN&cursor=${page.nextCursor}`)).toEqual([third]);
  expect(await ids(`cursor=${first}`)).toEqual([second, third]);
  expect(await ids(`buyer_id=${created[1]?.buyerId}`)).toEqual([second]);
  expect(await ids(`buyer_id=${created[1]?.buyerId}&cursor=${second}`)).toEqual([]);
  expect(await ids('created_before=2020-01-01')).toEqual([]);
  expect((await market.send('GET', '/disputes?sort=up')).status).toBe(400);
});

it('filters by assignee, in either direction', async () => {
  const market = await world.market();
  const [one, two] = [
    await orderIn(world, market, 'DISPUTED'),
    await orderIn(world, market, 'DISPUTED', {}),
  ];
  for (const { disputeId } of [one, two]) {
    const assignedTo = disputeId === one.disputeId ? 'sam@example.com' : 'susan@example.com';
    const body = { assignedTo };
    await market.send('POST', `/disputes/${disputeId}/assign`, { body });
  }
  for (const query of ['', '&sort=oldest', '&status=UNDER_REVIEW', `&buyer_id=${one.buyerId}`]) {
    const { json } = await market.send('GET', `/disputes?assigned_to=sam@example.com${query}`);
    expect(json.data.data.map(({ id }: { id: string }) => id)).toEqual([one.disputeId]);
  }
});

it('shows nothing of another marketplace, for any filter', async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const { buyerId, sellerId } = await orderIn(world, theirs, 'DISPUTED');
  for (const query of [
    {},
    { buyerId },
    { sellerId },
    { status: 'OPEN' } as const,
    { sort: 'oldest' } as const,
  ])
    expect((await listDisputes(world.app, mine.call, query)).items).toEqual([]);
});
