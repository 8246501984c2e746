import { expect, it } from 'vitest';
import { openPlainMemberWorld, PASSWORD } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

const register = (body: object) => world.request('POST', '/auth/register', { body });

it('creates a user like any other, with its events and audit', async () => {
  const person = await world.person();
  const seen = await world.house.send('GET', `/users/${person.id}`);
  expect(seen.json.data.data).toMatchObject({ email: person.email, status: 'ACTIVE' });
  expect(seen.json.data.data.externalUserId).toMatch(/^member:[0-9a-f]{32}$/);
  const audited = await world.rows<{ action: string }>(
    'select action from audit where resource_id = $1 order by id',
    [person.id],
  );
  expect(audited.map(({ action }) => action)).toEqual(['USER_CREATED', 'MEMBER_REGISTERED']);
});

it('accepts an address once, in any spelling, however many try at once', async () => {
  const { email } = await world.person();
  const again = { email: email.toUpperCase(), password: PASSWORD, name: 'Eve' };
  expect((await register(again)).status).toBe(422);
  const body = { email: `x${email}`, password: PASSWORD, name: 'Ada' };
  const responses = await Promise.all(Array.from({ length: 8 }, () => register(body)));
  const created = responses.filter(({ status }) => status === 200);
  expect([created.length, responses.length - created.length]).toEqual([1, 7]);
});

it('stores no password, only its hash', async () => {
  const { id } = await world.person();
  const [row] = await world.rows<{ password_hash: string }>(
    'select password_hash from member where user_id = $1',
    [id],
  );
  expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const anywhere = await world.rows(
    `select from audit where (before::text || after::text) like '%' || $1 || '%'`,
    [PASSWORD],
  );
  expect(anywhere).toEqual([]);
});
