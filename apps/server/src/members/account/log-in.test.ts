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
  await world.app.refusedSignIns.flush();
  const rows = await world.rows(
    // Summed here too: the minute may have ended during the test.
    `select marketplace_id::int as marketplace, resource_type as type, resource_id as id, address,
       after->>'flow' as flow, min(after->>'email') as email,
       sum((after->>'attempts')::int)::int as attempts
     from audit where action = 'SIGN_IN_REFUSED' group by 1, 2, 3, 4, 5 order by type desc`,
  );
  expect(rows).toMatchObject([
    { marketplace: 0, type: 'User', id, address: '127.0.0.1', attempts: 2 },
    { marketplace: 0, type: 'SignIn', attempts: 1, flow: 'member' },
  ]);
  expect(JSON.stringify(rows)).not.toContain(email);
});

it('refuses a frozen member, whose earlier tokens stay invalid afterwards', async () => {
  const { id, email, token } = await world.person();
  const body = { email, password: PASSWORD };
  const setStatus = (verb: string) =>
    world.house.send('POST', `/users/${id}/${verb}`, { body: { reason: 'a bank requested it' } });
  const balances = async (bearer: string) =>
    (await world.request('GET', '/balances', { token: bearer })).status;
  expect((await setStatus('freeze')).status).toBe(200);
  const refused = await logIn(body);
  expect(refused.text).toBe((await logIn({ email, password: 'wrong' })).text);
  const release = { token, body: { escrow_id: 'esc_00000000000000000000000000' } };
  expect([refused.status, await balances(token)]).toEqual([401, 401]);
  expect((await world.request('POST', '/escrow/release', release)).status).toBe(401);
  const credit = { body: { amount: '1.00' } };
  expect((await world.house.send('POST', `/users/${id}/balance/credit`, credit)).status).toBe(200);
  await setStatus('unfreeze');
  expect(await balances(token)).toBe(401);
  expect(await balances((await logIn(body)).json.data.token)).toBe(200);
});

it('refuses a flood with 503, and accepts the password afterwards', async () => {
  const { email } = await world.person();
  const tries = Array.from({ length: 100 }, () => logIn({ email, password: 'wrong' }));
  const responses = (await Promise.all(tries)).map(({ status }) => status);
  expect(new Set(responses)).toEqual(new Set([401, 503]));
  expect((await logIn({ email, password: PASSWORD })).status).toBe(200);
});
