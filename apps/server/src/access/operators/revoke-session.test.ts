import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { type Desk, desk, deskOf, person } from '../../testing/operators.ts';
import { listen, openSse } from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('ends the session, clears the cookie, and records it', async () => {
  const who = await desk(world);
  const { status, headers } = await who.send('POST', '/operators/sign-out');
  expect(status).toBe(200);
  expect(String(headers['set-cookie'])).toMatch(/^holdfast_session=; .*Max-Age=0/);
  expect((await who.send('GET', '/operators/me')).status).toBe(401);
  expect(
    await world.rows('select action from audit where actor_id = $1 order by id', [who.id]),
  ).toEqual([{ action: 'OPERATOR_SIGNED_IN' }, { action: 'OPERATOR_SIGNED_OUT' }]);
});

it('lists the open sessions of the operator, and ends another one of them', async () => {
  const who = await person(world);
  const phone = await deskOf(world, who);
  clock.advance(30_000);
  const laptop = await deskOf(world, who);
  const sessionsOf = async (by: Desk) =>
    (await by.send('GET', '/operators/me/sessions')).json.data.data.sessions;
  const [newest, oldest] = await sessionsOf(laptop);
  const client = { address: '127.0.0.1', userAgent: 'a browser' };
  expect([newest, oldest]).toMatchObject([
    { ...client, isCurrent: true },
    { ...client, isCurrent: false },
  ]);
  const end = (by: Desk) => by.send('DELETE', `/operators/me/sessions/${oldest.id}`);
  expect((await end(await desk(world))).json.error.code).toBe('SESSION_NOT_FOUND');
  expect((await end(laptop)).status).toBe(200);
  expect((await phone.send('GET', '/operators/me')).status).toBe(401);
  expect(await sessionsOf(laptop)).toEqual([newest]);
  expect((await end(laptop)).json.error.code).toBe('SESSION_NOT_FOUND');
});

it('ends the streams of the session, and no other', async () => {
  const market = await world.market();
  const [one, other] = [
    await desk(world, { marketplaceId: market.id, role: 'viewer' }),
    await desk(world, { marketplaceId: market.id, role: 'viewer' }),
  ];
  const base = await listen(world);
  const { host: _, origin: __, 'x-holdfast-marketplace': ___, ...headers } = one.headers;
  // As a browser's event source opens it: with the cookie, and without our headers.
  const query = `?marketplaceId=${market.id}`;
  const gone = await openSse(base, { headers, query });
  const stays = await openSse(base, { headers: { ...other.headers } });
  expect([gone.status, stays.status]).toEqual([200, 200]);
  await market.user();
  await world.sequence();
  await eventually(3000, () => expect(gone.events.length).toBeGreaterThan(0));
  await one.send('POST', '/operators/sign-out');
  await eventually(3000, () => expect(gone.isOver).toBe(true));
  expect(stays.isOver).toBe(false);
  stays.close();
});
