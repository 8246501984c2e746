import { expect, it } from 'vitest';
import { openPlainMemberWorld, PASSWORD } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

const logIn = (body: object) => world.request('POST', '/auth/login', { body });

it('accepts the right password, and refuses any other', async () => {
  const { id, email } = await world.person();
  const response = await logIn({ email: email.toUpperCase(), password: PASSWORD });
  expect(response.json.data.user).toEqual({ id, email, name: 'Ada' });
  const { token } = response.json.data;
  expect((await world.request('GET', '/balances', { token })).status).toBe(200);
  const wrong = await Promise.all([
    logIn({ email, password: `${PASSWORD} ` }),
    logIn({ email, password: '' }),
    logIn({ email: `x${email}`, password: PASSWORD }),
  ]);
  expect(new Set(wrong.map(({ text }) => text)).size).toBe(1);
  expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401]);
});

it('refuses a flood with 503, and accepts the password afterwards', async () => {
  const { email } = await world.person();
  const tries = Array.from({ length: 100 }, () => logIn({ email, password: 'wrong' }));
  const responses = (await Promise.all(tries)).map(({ status }) => status);
  expect(new Set(responses)).toEqual(new Set([401, 503]));
  expect((await logIn({ email, password: PASSWORD })).status).toBe(200);
});
