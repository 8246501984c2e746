import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

it('returns the operator, the memberships, and the token that changes need', async () => {
  const { id: marketplaceId } = await world.market();
  const who = await desk(world, { marketplaceId, role: 'support' });
  const { status, json } = await who.send('GET', '/operators/me');
  expect(status).toBe(200);
  expect(json.data.data).toMatchObject({
    operator: { id: who.id, memberships: [{ marketplaceId, role: 'support' }] },
    csrfToken: who.csrfToken,
    approvalLimit: '500.00',
  });
});

it('is refused for a key', async () => {
  const market = await world.market();
  for (const key of [market.key, world.masterKey])
    expect((await world.send('GET', '/operators/me', { key })).status).toBe(401);
});
