import { expect, it } from 'vitest';
import { openPlainMemberWorld, PASSWORD } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(() => openPlainMemberWorld({ HOLDFAST_PASSWORD_RULES: 'strict' }));

const NEW = 'seven wet umbrellas';

it('needs the old password, and ends all tokens', async () => {
  const person = await world.person();
  const other = await person.loggedIn();
  const change = (password: string, new_password: string) =>
    person.post('/auth/password', { password, new_password });
  expect((await change('wrong password', NEW)).status).toBe(401);
  for (const weak of ['kPz7-vRt2-m', 'Password2026!', 'qwertyuiop12'])
    expect((await change(PASSWORD, weak)).status).toBe(422);
  expect((await other.get('/balances')).status).toBe(200);
  const changed = await change(PASSWORD, NEW);
  expect([changed.status, Object.keys(changed.json.data)]).toEqual([200, ['changed_at']]);
  for (const ended of [person, other]) expect((await ended.get('/balances')).status).toBe(401);
  const logIn = async (password: string) =>
    (await world.request('POST', '/auth/login', { body: { email: person.email, password } }))
      .status;
  expect([await logIn(PASSWORD), await logIn(NEW)]).toEqual([401, 200]);
  const audited = await world.rows(
    `select actor_type from audit where action = 'MEMBER_PASSWORD_CHANGED' and actor_id = $1`,
    [person.id],
  );
  expect(audited).toEqual([{ actor_type: 'MEMBER' }]);
});

it('registers no one with a weak password', async () => {
  const register = (password: string) =>
    world.request('POST', '/auth/register', {
      body: { email: 'weak@example.test', password, name: 'Ada' },
    });
  const weak = [await register('Passw0rd2026!'), await register('kPz7-vRt2-m')];
  expect(weak.map(({ status, json }) => [status, json.errors])).toEqual([
    [422, ['password is among the passwords that attackers try first']],
    [422, ['password must have at least 12 characters']],
  ]);
});
