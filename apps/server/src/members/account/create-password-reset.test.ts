import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

it('returns the token once, and stores only its hash', async () => {
  const { id } = await world.person();
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => world.house.send('POST', `/users/${id}/password-reset`, { headers });
  const [first, again] = [await send(), await send()];
  const { token, ...rest } = first.json.data.data;
  expect([first.status, token]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)]);
  expect(again.json.data.data).toEqual(rest);
  const stored = await world.rows(
    `select from member where member::text like '%' || $1 || '%'
     union all select from audit where (before::text || after::text) like '%' || $1 || '%'`,
    [token],
  );
  expect(stored).toEqual([]);
});

it('is refused for a user without a password, and to another marketplace', async () => {
  const path = (id: string) => `/users/${id}/password-reset`;
  const [{ id }, plain, other] = [
    await world.person(),
    await world.house.user(),
    await world.market(),
  ];
  expect((await world.house.send('POST', path(plain))).json.error.code).toBe('USER_NOT_FOUND');
  expect((await other.send('POST', path(id))).json.error.code).toBe('USER_NOT_FOUND');
});
