import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { listAccounts } from './list-accounts.ts';

const world = useWorld();

it('lists accounts page by page, each once, by kind, owner and currency', async () => {
  const market = await world.market();
  const { id, buyerId } = await orderIn(world, market, 'IN_PROGRESS');
  const list = (query: Parameters<typeof listAccounts>[2]) =>
    listAccounts(world.app, market.call, query);
  const all = (await list({ limit: '100' })).items.map((each) => each.id);
  const paged: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list({ limit: '2', ...(cursor === '' ? {} : { cursor }) });
    paged.push(...page.items.map((each) => each.id));
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(all);
  expect(new Set(all).size).toBe(all.length);
  expect((await list({ kind: 'escrow' })).items).toMatchObject([
    { id: `escrow.${id}.USD`, available: 10_000n },
  ]);
  expect((await list({ ownerId: buyerId, currency: 'USD' })).items).toHaveLength(1);
  expect((await list({ currency: 'XLM' })).items).toEqual([]);
});
