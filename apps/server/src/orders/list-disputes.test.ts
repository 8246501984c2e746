import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderIn } from '../testing/orders.ts';
import { openWorld, type World } from '../testing/world.ts';
import { assignDispute } from './assign-dispute.ts';
import { listDisputes } from './list-disputes.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

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

it('shows nothing of another marketplace, whatever is asked', async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const { buyerId, sellerId } = await orderIn(world, theirs, 'DISPUTED');
  for (const query of [{}, { buyerId }, { sellerId }, { status: 'OPEN' } as const])
    expect((await listDisputes(world.app, mine.call, query)).items).toEqual([]);
});
