import { expect, it } from 'vitest';
import { type Desk, desk } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

async function request(by: Desk, userId: string, amount: string): Promise<string> {
  const { json } = await by.send('POST', `/users/${userId}/balance/debit`, { body: { amount } });
  return json.data.data.id;
}

it('returns an approval to operators and keys', async () => {
  const market = await world.market();
  const requester = await desk(world, { marketplaceId: market.id, role: 'admin' });
  const id = await request(requester, await market.user(), '1.00');
  const viewer = await desk(world, { marketplaceId: market.id, role: 'viewer' });
  for (const caller of [viewer, market])
    expect((await caller.send('GET', `/approvals/${id}`)).json.data.data.id).toBe(id);
});

it('lists approvals newest first, and filters by status, resource and requester', async () => {
  const market = await world.market();
  const one = await desk(world, { marketplaceId: market.id, role: 'finance' });
  const other = await desk(world, { marketplaceId: market.id, role: 'finance' });
  const user = await market.user();
  const first = await request(one, user, '1.00');
  const second = await request(one, user, '2.00');
  const third = await request(other, await market.user(), '3.00');
  const expectFound = async (found: readonly string[], query: string) => {
    const { json } = await one.send('GET', `/approvals?${query}`);
    expect(
      json.data.data.map(({ id }: { id: string }) => id),
      query,
    ).toEqual(found);
  };
  await expectFound([third, second, first], '');
  await expectFound([second, first], `resourceId=${user}`);
  await expectFound([third], `requestedBy=${other.id}`);
  await other.send('POST', `/approvals/${first}/reject`, { body: {} });
  await expectFound([first], 'status=REJECTED');
  await expectFound([third, second], 'status=PENDING');
  await expectFound([], 'createdBefore=2020-01-01');
});
