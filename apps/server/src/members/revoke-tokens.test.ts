import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MemberStage, openPlainMemberWorld, PASSWORD } from '../testing/members.ts';
import type { World } from '../testing/world.ts';

let world: World & MemberStage;
beforeAll(async () => {
  world = await openPlainMemberWorld();
});
afterAll(() => world.close());

it('ends all tokens of a member, and of nobody else', async () => {
  const [one, other] = [await world.person(), await world.person()];
  const body = { email: one.email, password: PASSWORD };
  const { token } = (await world.ask('POST', '/auth/login', { body })).json.data;
  expect((await one.post('/auth/logout')).status).toBe(200);
  for (const ended of [one.token, token])
    expect((await world.ask('GET', '/balances', { token: ended })).status).toBe(401);
  expect((await other.get('/balances')).status).toBe(200);
  const told = await world.rows(
    `select actor_type from audit where action = 'MEMBER_LOGGED_OUT' and actor_id = $1`,
    [one.id],
  );
  expect(told).toEqual([{ actor_type: 'MEMBER' }]);
});
