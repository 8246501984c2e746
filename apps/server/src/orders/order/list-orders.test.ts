import type { OrderId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { listOrders } from './list-orders.ts';

const world = useWorld();

it('pages newest first without gap or repeat, also while orders come in', async () => {
  const market = await world.market();
  const created: OrderId[] = [];
  const create = async () => created.push((await orderIn(world, market, 'ORDER_CREATED')).id);
  for (let count = 0; count < 7; count += 1) await create();
  const seen: OrderId[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listOrders(world.app, market.call, {
      limit: '3',
      ...(cursor ? { cursor } : {}),
    });
    seen.push(...page.items.map(({ id }) => id));
    if (!page.hasMore) break;
    cursor = page.nextCursor ?? undefined;
    await create();
  }
  expect(seen).toEqual(created.slice(0, 7).toReversed());
});

it('filters by status, buyer, seller and time, combined', async () => {
  const market = await world.market();
  const one = await orderIn(world, market, 'ORDER_CREATED');
  const two = await orderIn(world, market, 'FUNDS_RESERVED', { sellerId: one.sellerId });
  const three = await orderIn(world, market, 'CLOSED', { buyerId: one.buyerId });
  const four = await orderIn(world, market, 'IN_PROGRESS', { sellerId: one.sellerId });
  const ids = async (query: string) =>
    (await market.send('GET', `/orders?${query}`)).json.data.data.map(
      (order: { id: string }) => order.id,
    );
  expect(await ids('')).toEqual([four.id, three.id, two.id, one.id]);
  expect(await ids('status=FUNDS_RESERVED')).toEqual([two.id]);
  expect(await ids('status=CLOSED')).toEqual([three.id]);
  expect(await ids('status=DISPUTED')).toEqual([]);
  expect(await ids(`buyer_id=${one.buyerId}`)).toEqual([three.id, one.id]);
  expect(await ids(`buyerId=${one.buyerId}&status=ORDER_CREATED`)).toEqual([one.id]);
  expect(await ids(`seller_id=${one.sellerId}`)).toEqual([four.id, two.id, one.id]);
  expect(await ids(`seller_id=${one.sellerId}&status=IN_PROGRESS`)).toEqual([four.id]);
  expect(await ids(`buyer_id=${one.buyerId}&seller_id=${one.sellerId}`)).toEqual([one.id]);
  expect(await ids('created_after=2020-01-01&created_before=2099-01-01&limit=2')).toEqual([
    four.id,
    three.id,
  ]);
  expect(await ids('created_before=2020-01-01')).toEqual([]);
  for (const query of ['status=NOPE', 'limit=0', 'limit=101', 'buyer_id=x', 'stray=1'])
    expect((await market.send('GET', `/orders?${query}`)).status, query).toBe(400);
});

it('shows nothing of another marketplace, for any filter', async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const { id, buyerId, sellerId } = await orderIn(world, theirs, 'ORDER_CREATED');
  await orderIn(world, theirs, 'ORDER_CREATED');
  for (const query of [{}, { buyerId }, { sellerId }, { status: 'ORDER_CREATED' } as const])
    expect((await listOrders(world.app, mine.call, query)).items).toEqual([]);
  expect((await listOrders(world.app, mine.call, { cursor: id })).items).toEqual([]);
});
