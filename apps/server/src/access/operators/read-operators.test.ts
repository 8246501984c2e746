import { expect, it } from 'vitest';
import { desk, person } from '../../testing/operators.ts';
import { useMarket } from '../../testing/use-world.ts';

const { world, market } = useMarket();

const leave = (id: string) =>
  world.send('PUT', `/operators/${id}/memberships`, {
    key: world.masterKey,
    body: { memberships: [] },
  });

it('returns the session: the operator, the memberships, and the token that changes need', async () => {
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

it('returns no session to a key', async () => {
  for (const key of [market.key, world.masterKey])
    expect((await world.send('GET', '/operators/me', { key })).status).toBe(401);
});

it('lists operators newest first, to platform admins and the master key', async () => {
  const { id: marketplaceId } = await world.market();
  const people = [await person(world), await person(world, { marketplaceId, role: 'finance' })];
  const admin = await desk(world, { isPlatformAdmin: true, marketplaceId });
  const first = await admin.send('GET', '/operators?limit=2');
  const ids = first.json.data.data.map((each: { id: string }) => each.id);
  expect(ids).toEqual([admin.id, people[1]?.id]);
  expect(first.json.data.data[1].memberships).toEqual([
    { marketplaceId, marketplaceName: 'tests', role: 'finance' },
  ]);
  const cursor = first.json.data.nextCursor;
  const path = `/operators?limit=1&cursor=${cursor}`;
  const rest = await world.send('GET', path, { key: world.masterKey });
  expect(rest.json.data.data.map((each: { id: string }) => each.id)).toEqual([people[0]?.id]);
  for (const { text } of [first, rest]) expect(text).not.toMatch(/argon2|hash|totp/i);
});

it('lists the names of current and former operators, and of platform admins', async () => {
  const others = (await market.send('GET', '/operators/names')).json.data.data;
  const marketplaceId = market.id;
  const here = await desk(world, { marketplaceId, role: 'viewer' });
  const left = await person(world, { marketplaceId, role: 'support' });
  await leave(left.id);
  const admin = await person(world, { isPlatformAdmin: true });
  const byDesk = await here.send('GET', '/operators/names');
  const byKey = await market.send('GET', '/operators/names');
  for (const { json } of [byDesk, byKey])
    expect(json.data.data).toEqual([
      ...[admin.id, left.id, here.id].map((id) => ({ id, name: 'Ada' })),
      ...others,
    ]);
  const first = await market.send('GET', '/operators/names?limit=1');
  const { nextCursor } = first.json.data;
  const rest = await market.send('GET', `/operators/names?limit=2&cursor=${nextCursor}`);
  expect(rest.json.data.data.map(({ id }: { id: string }) => id)).toEqual([left.id, here.id]);
});

it('lists no operator of another marketplace, neither current nor former', async () => {
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
