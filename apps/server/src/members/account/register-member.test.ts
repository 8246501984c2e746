import { randomUUID } from 'node:crypto';
import type { UserId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { openMemberWorld, openPlainMemberWorld, PASSWORD } from '../../testing/members.ts';
import { until } from '../../testing/until.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openMemberWorld);

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
  expect(audited.slice(0, 2).map(({ action }) => action)).toEqual([
    'USER_CREATED',
    'MEMBER_REGISTERED',
  ]);
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

it('ties up no XLM: a wallet comes with the first money, or when it is requested', async () => {
  const newId = async () => {
    const body = { email: `${randomUUID()}@example.test`, password: PASSWORD, name: 'Ada' };
    return (await register(body)).json.data.id as UserId;
  };
  const [one, credited] = [await newId(), await newId()];
  const credit = { body: { amount: '5.00' } };
  await world.house.send('POST', `/users/${credited}/balance/credit`, credit);
  await world.mirror(world.house);
  await world.runWorker();
  const walletsOf = (id: string) =>
    world.rows('select status from wallet where user_id = $1', [id]);
  expect(await walletsOf(one)).toEqual([]);
  expect(await walletsOf(credited)).toEqual([{ status: 'READY' }]);
  const wallet = world.house.send('GET', `/users/${one}/wallet`);
  await until(async () => (await walletsOf(one)).length === 1);
  await world.runWorker();
  expect((await wallet).status).toBe(200);
});

it('is limited by the hour, for an address and in all', async () => {
  const limits = { HOLDFAST_REGISTRATIONS_PER_ADDRESS: '2', HOLDFAST_REGISTRATIONS_PER_HOUR: '5' };
  const limited = await openPlainMemberWorld({ ...limits, HOLDFAST_TRUSTED_PROXIES: '1' });
  const statuses: number[] = [];
  let retryAfter: unknown;
  for (const host of ['::1', '::2', '::3', '1:0::', '1:1::', '2::', '3::', '4::']) {
    const body = { email: `${randomUUID()}@example.test`, password: PASSWORD, name: 'Ada' };
    const headers = { 'x-forwarded-for': `2001:db8:0${host}` };
    const { status, headers: sent } = await limited.request('POST', '/auth/register', {
      body,
      headers,
    });
    statuses.push(status);
    retryAfter = sent['retry-after'];
  }
  expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429, 429]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
  await limited.close();
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
