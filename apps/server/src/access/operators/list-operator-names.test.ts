import { expect, it } from 'vitest';
import { desk, person } from '../../testing/operators.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';

const world = useWorld();
const market = useOpened(() => world.market());

const leave = (id: string) =>
  world.send('PUT', `/operators/${id}/memberships`, {
    key: world.masterKey,
    body: { memberships: [] },
  });

it('returns current and former operators, and the platform admins, by name alone', async () => {
  const marketplaceId = market.id;
  const here = await desk(world, { marketplaceId, role: 'viewer' });
  const left = await person(world, { marketplaceId, role: 'support' });
  await leave(left.id);
  const admin = await person(world, { isPlatformAdmin: true });
  const byDesk = await here.send('GET', '/operators/names');
  const byKey = await market.send('GET', '/operators/names');
  for (const { json } of [byDesk, byKey])
    expect(json.data.data).toEqual([admin.id, left.id, here.id].map((id) => ({ id, name: 'Ada' })));
  const first = await market.send('GET', '/operators/names?limit=1');
  const { nextCursor } = first.json.data;
  const rest = await market.send('GET', `/operators/names?limit=2&cursor=${nextCursor}`);
  expect(rest.json.data.data.map(({ id }: { id: string }) => id)).toEqual([left.id, here.id]);
});

it('returns no operator of another marketplace, neither current nor former', async () => {
  const other = await world.market();
  const there = await person(world, { marketplaceId: other.id, role: 'admin' });
  const wasThere = await person(world, { marketplaceId: other.id, role: 'finance' });
  await leave(wasThere.id);
  const nowhere = await person(world);
  const text = (await market.send('GET', '/operators/names')).text;
  for (const { id, email } of [there, wasThere, nowhere]) {
    expect(text).not.toContain(id);
    expect(text).not.toContain(email);
  }
  expect((await other.send('GET', '/operators/names')).text).toContain(wasThere.id);
});
