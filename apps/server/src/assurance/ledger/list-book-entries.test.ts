import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { listBookEntries } from './list-book-entries.ts';

const world = useWorld();

it('lists the journal newest first, and the entries of one order', async () => {
  const [market, otherMarket] = [await world.market(), await world.market()];
  const { id } = await orderIn(world, market, 'IN_PROGRESS');
  await orderIn(world, market, 'FUNDS_RESERVED');
  const list = async (query: Parameters<typeof listBookEntries>[2]) =>
    (await listBookEntries(world.app, market.call, query)).items.map(({ kind }) => kind);
  expect(await list({})).toEqual(['order_hold', 'credit', 'escrow_fund', 'order_hold', 'credit']);
  expect(await list({ subjectId: id })).toEqual(['escrow_fund', 'order_hold']);
  expect(await list({ createdBefore: '2026-01-02' })).toEqual([]);
  expect(await list({ createdAfter: '2026-01-02', limit: '1' })).toEqual(['order_hold']);
  const first = await listBookEntries(world.app, market.call, { limit: '3' });
  expect(await list({ cursor: first.nextCursor ?? '' })).toEqual(['order_hold', 'credit']);
  expect((await listBookEntries(world.app, otherMarket.call, { subjectId: id })).items).toEqual([]);
});
