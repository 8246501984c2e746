import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { completeMilestone } from './complete-milestone.ts';
import { listMilestones } from './list-milestones.ts';

const world = useWorld();

const milestones = ['c', 'a', 'b'].map((ref) => ({ ref, title: ref, amount: '20.00' }));

it('lists them in their given order, page by page and by status', async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'IN_PROGRESS', { amount: '60.00', milestones });
  const refs = async (query: Parameters<typeof listMilestones>[3]) =>
    (await listMilestones(world.app, market.call, id, query)).items.map(({ ref }) => ref);
  expect(await refs({})).toEqual(['c', 'a', 'b']);
  const first = await listMilestones(world.app, market.call, id, { limit: '2' });
  expect([first.hasMore, first.items.map(({ ref }) => ref)]).toEqual([true, ['c', 'a']]);
  expect(await refs({ limit: '2', cursor: first.nextCursor ?? '' })).toEqual(['b']);
  await completeMilestone(world.app, market.call, id, 'a');
  expect(await refs({ status: 'OPEN' })).toEqual(['c', 'b']);
  expect(await refs({ status: 'COMPLETED' })).toEqual(['a']);
});

it("does not know another marketplace's order, and shows an order without any as empty", async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const { id } = await orderIn(world, theirs, 'ORDER_CREATED');
  await expect(listMilestones(world.app, mine.call, id, {})).rejects.toSatisfy(
    isRefusal('ORDER_NOT_FOUND'),
  );
  expect((await listMilestones(world.app, theirs.call, id, {})).items).toEqual([]);
});
