import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('records when a key was last used', async () => {
  const market = await world.market();
  await market.send('GET', '/auth/me');
  await world.app.authenticator.close();
  const [row] = await world.rows('select last_used_at from api_key where id = $1', [market.keyId]);
  expect(row?.['last_used_at']).not.toBeNull();
});

it('refuses a key after its expiry, also one that is cached', async () => {
  const market = await world.market({ expiresAt: new Date(clock.now() + 500).toISOString() });
  expect((await market.send('GET', '/auth/me')).status).toBe(200);
  clock.advance(600);
  expect((await market.send('GET', '/auth/me')).status).toBe(401);
});

it.each(['Bearer', 'Basic YTpi', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`])(
  'identifies no caller from %s',
  async (authorization) => {
    expect((await world.send('GET', '/auth/me', { headers: { authorization } })).status).toBe(401);
  },
);
