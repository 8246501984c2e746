import { decodeBase32 } from '@holdfast/kernel/base32';
import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { signIn } from '../../testing/operators.ts';
import { complete, enroll, firstCode, invite, open } from '../../testing/scenarios/enrollment.ts';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

const opened = async (token: string) =>
  decodeBase32((await open(world, token)).json.data.data.totpSecret);
const statusOf = async (id: string) =>
  (await world.rows('select status from operator where id = $1', [id]))[0]?.['status'];

it('makes the person ENROLLED, who cannot sign in yet', async () => {
  const person = await enroll(world, await invite(world));
  expect(person.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(await statusOf(person.id)).toBe('ENROLLED');
  expect((await signIn(world, person)).json.error.code).toBe('SIGN_IN_REFUSED');
  const audited = await world.rows(
    `select actor_id, address, user_agent from audit
     where resource_id = $1 and action = 'OPERATOR_ENROLLED' and marketplace_id = 0`,
    [person.id],
  );
  expect(audited).toEqual([{ actor_id: person.id, address: '127.0.0.1', user_agent: 'a browser' }]);
  const stored = `select from operator_invitation t where t::text like '%' || $1 || '%'`;
  expect(await world.rows(stored, [person.code.replace('-', '')])).toEqual([]);
});

it('lets one of two win who use the same link at once', async () => {
  const { id, token } = await invite(world);
  const totp = firstCode(world, await opened(token));
  const passwords = ['the first of the two', 'the second of the two'];
  const both = await Promise.all(passwords.map((one) => complete(world, token, totp, one)));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
  expect(await statusOf(id)).toBe('ENROLLED');
});

it('gives another code for other credentials', async () => {
  const codes = new Set<string>();
  for (let each = 0; each < 3; each += 1)
    codes.add((await enroll(world, await invite(world))).code);
  expect(codes.size).toBe(3);
});

it('refuses a wrong code, a weak password and a link that was not opened', async () => {
  const { id, token } = await invite(world);
  const codeOf = async (...given: Parameters<typeof complete>) =>
    (await complete(...given)).json.error?.code;
  expect(await codeOf(world, token, '000000')).toBe('VALIDATION_ERROR');
  const secret = await opened(token);
  const totp = firstCode(world, secret);
  const wrong = totp === '000000' ? '000001' : '000000';
  expect(await codeOf(world, token, wrong)).toBe('VALIDATION_ERROR');
  expect(await codeOf(world, token, totp, 'too short')).toBe('VALIDATION_ERROR');
  expect(await statusOf(id)).toBe('INVITED');
  clock.advance(48 * 3_600_000);
  const late = await codeOf(world, token, firstCode(world, secret));
  expect(late).toBe('INVITATION_INVALID');
});

it('limits the attempts of an address', async () => {
  const send = () => open(world, 'z'.repeat(43));
  const statuses = new Set<number>();
  for (let each = 0; each < 101; each += 1) statuses.add((await send()).status);
  expect([...statuses]).toEqual([403, 429]);
});
