import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MemberStage, openPlainMemberWorld, PASSWORD } from '../testing/members.ts';
import type { World } from '../testing/world.ts';

let world: World & MemberStage;
beforeAll(async () => {
  world = await openPlainMemberWorld();
});
afterAll(() => world.close());

const logIn = (body: object) => world.ask('POST', '/auth/login', { body });

it('lets in whoever knows the password, and nobody else', async () => {
  const { id, email } = await world.person();
  const answer = await logIn({ email: email.toUpperCase(), password: PASSWORD });
  expect(answer.json.data.user).toEqual({ id, email, name: 'Ada' });
  const { token } = answer.json.data;
  expect((await world.ask('GET', '/balances', { token })).status).toBe(200);
  const wrong = await Promise.all([
    logIn({ email, password: `${PASSWORD} ` }),
    logIn({ email, password: '' }),
    logIn({ email: `x${email}`, password: PASSWORD }),
  ]);
  expect(new Set(wrong.map(({ text }) => text)).size).toBe(1);
  expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401]);
});

it('turns a flood away before it has to wait for it', async () => {
  const { email } = await world.person();
  const tries = Array.from({ length: 100 }, () => logIn({ email, password: 'wrong' }));
  const answers = (await Promise.all(tries)).map(({ status }) => status);
  expect(new Set(answers)).toEqual(new Set([401, 503]));
  expect((await logIn({ email, password: PASSWORD })).status).toBe(200);
});
