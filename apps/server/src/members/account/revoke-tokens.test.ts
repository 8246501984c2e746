import { expect, it } from 'vitest';
import { openPlainMemberWorld, PASSWORD } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

it('ends all tokens of the member, and of no other', async () => {
  const [one, other] = [await world.person(), await world.person()];
  const body = { email: one.email, password: PASSWORD };
  const { token } = (await world.request('POST', '/auth/login', { body })).json.data;
  expect((await one.post('/auth/logout')).status).toBe(200);
  for (const ended of [one.token, token])
    expect((await world.request('GET', '/balances', { token: ended })).status).toBe(401);
  expect((await other.get('/balances')).status).toBe(200);
  const audited = await world.rows(
    `select actor_type from audit where action = 'MEMBER_LOGGED_OUT' and actor_id = $1`,
    [one.id],
  );
  expect(audited).toEqual([{ actor_type: 'MEMBER' }]);
});
