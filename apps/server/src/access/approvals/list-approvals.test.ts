import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

it('pages newest first, and filters by status, resource and requester', async () => {
  const market = await world.market();
  const [one, other] = [
    await desk(world, { marketplaceId: market.id, role: 'finance' }),
    await desk(world, { marketplaceId: market.id, role: 'finance' }),
  ];
  const user = await market.user();
  const request = async (by: typeof one, userId: string, amount: string) => {
    const body = { amount };
    const { json } = await by.send('POST', `/users/${userId}/balance/debit`, { body });
    return json.data.data.id as string;
  };
  const ids = [
    await request(one, user, '1.00'),
    await request(one, user, '2.00'),
    await request(other, await market.user(), '3.00'),
  ];
  const list = async (query: string) => {
    const { json } = await one.send('GET', `/approvals${query}`);
    return json.data as { data: { id: string }[]; nextCursor: string };
  };
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);
  const page = await list('?limit=2');
  expect(page.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect(await idsOf(`?cursor=${page.nextCursor}`)).toEqual([ids[0]]);
  expect(await idsOf(`?resourceId=${user}`)).toEqual([ids[1], ids[0]]);
  expect(await idsOf(`?requestedBy=${other.id}`)).toEqual([ids[2]]);
  await other.send('POST', `/approvals/${ids[0]}/reject`, { body: {} });
  expect(await idsOf('?status=REJECTED')).toEqual([ids[0]]);
  expect(await idsOf('?status=PENDING')).toEqual([ids[2], ids[1]]);
  expect(await idsOf('?createdBefore=2020-01-01')).toEqual([]);
});
