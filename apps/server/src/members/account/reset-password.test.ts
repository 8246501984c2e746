import { expect, it } from 'vitest';
import { openPlainMemberWorld, PASSWORD } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

const NEW = 'seven wet umbrellas';
const issue = async (id: string) =>
  (await world.house.send('POST', `/users/${id}/password-reset`)).json.data.data.token as string;
const reset = async (token: string) =>
  (await world.request('POST', '/auth/password/reset', { body: { token, new_password: NEW } }))
    .status;

it('accepts the newest token once, within an hour, and ends all tokens', async () => {
  const person = await world.person();
  const [first, second] = [await issue(person.id), await issue(person.id)];
  expect([await reset(first), await reset('x'.repeat(43))]).toEqual([400, 400]);
  expect((await person.get('/balances')).status).toBe(200);
  const both = await Promise.all([reset(second), reset(second)]);
  expect(both.sort()).toEqual([200, 400]);
  expect((await person.get('/balances')).status).toBe(401);
  const logIn = async (password: string) =>
    (await world.request('POST', '/auth/login', { body: { email: person.email, password } }))
      .status;
  expect([await logIn(PASSWORD), await logIn(NEW)]).toEqual([401, 200]);
  const late = await issue(person.id);
  await world.rows(`update member set reset_expires_at = 'epoch' where user_id = $1`, [person.id]);
  expect(await reset(late)).toBe(400);
});
