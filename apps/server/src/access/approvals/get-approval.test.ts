import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

it('returns it in its own marketplace only, to operators and keys', async () => {
  const [market, otherMarket] = [await world.market(), await world.market()];
  const requester = await desk(world, { marketplaceId: market.id, role: 'admin' });
  const path = `/users/${await market.user()}/balance/credit`;
  const { id } = (await requester.send('POST', path, { body: { amount: '1.00' } })).json.data.data;
  const viewer = await desk(world, { marketplaceId: market.id, role: 'viewer' });
  for (const who of [viewer, market])
    expect((await who.send('GET', `/approvals/${id}`)).json.data.data.id).toBe(id);
  const [foreign, unknown] = [
    await otherMarket.send('GET', `/approvals/${id}`),
    await otherMarket.send('GET', `/approvals/apr_${'0'.repeat(26)}`),
  ];
  expect(foreign.json.error.code).toBe('APPROVAL_NOT_FOUND');
  expect(foreign.text.replace(id, `apr_${'0'.repeat(26)}`)).toBe(unknown.text);
});
