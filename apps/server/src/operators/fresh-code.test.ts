import { manualClock } from '@holdfast/kernel/clock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Desk, desk, nextCode, PASSWORD, person, signIn } from '../testing/operators.ts';
import { openWorld, type World } from '../testing/world.ts';

const clock = manualClock(Date.now());
let world: World;
let admin: Desk;
beforeEach(async () => {
  world = await openWorld({ clock });
  admin = await desk(world, { isPlatformAdmin: true });
});
afterEach(() => world.close());

const newcomer = () => ({
  email: `${crypto.randomUUID()}@example.test`,
  name: 'Eve',
  password: PASSWORD,
  isPlatformAdmin: true,
});
/** All that makes an operator, makes one more, or shuts one out. */
const ways = async (): Promise<readonly (readonly [string, string, object])[]> => {
  const { id } = await person(world);
  return [
    ['POST', '/operators', newcomer()],
    ['PUT', `/operators/${id}/memberships`, { memberships: [] }],
    ['POST', `/operators/${id}/totp`, {}],
    ['PUT', `/operators/${id}/status`, { status: 'DISABLED' }],
  ];
};

it('is asked of an operator: a session alone, or with a wrong code, changes nobody', async () => {
  for (const [method, path, body] of await ways()) {
    const none = await admin.send(method, path, { body });
    expect([none.status, none.json.error.code], path).toEqual([400, 'VALIDATION_ERROR']);
    const wrong = await admin.send(method, path, { body: { ...body, totp: '000000' } });
    expect([wrong.status, wrong.json.error.code], path).toEqual([401, 'SIGN_IN_REFUSED']);
  }
  const { json } = await admin.send('GET', '/operators?limit=100');
  const found: { name: string; status: string }[] = json.data.data;
  expect(found.map(({ name }) => name)).not.toContain('Eve');
  expect(found.map(({ status }) => status)).not.toContain('DISABLED');
});

it('is good for one of them, once', async () => {
  for (const [method, path, body] of await ways()) {
    clock.advance(60_000);
    const totp = nextCode(world, admin);
    const made = await admin.send(method, path, { body: { ...body, totp } });
    expect([200, 201], made.text).toContain(made.status);
    const [again] = await ways();
    const [, , anotherBody] = again as NonNullable<typeof again>;
    const used = await admin.send('POST', '/operators', { body: { ...anotherBody, totp } });
    expect(used.json.error.code).toBe('SIGN_IN_REFUSED');
  }
});

it('is not asked of the master key', async () => {
  for (const [method, path, body] of await ways()) {
    const made = await world.send(method, path, { key: world.masterKey, body });
    expect([200, 201], made.text).toContain(made.status);
  }
});

it('that is wrong counts as one at the door does', async () => {
  const other = await desk(world, { isPlatformAdmin: true });
  for (let tries = 0; tries < 5; tries += 1)
    await other.send('POST', '/operators', { body: { ...newcomer(), totp: '000000' } });
  clock.advance(30_000);
  expect((await signIn(world, other)).status).toBe(401);
  clock.advance(60_000);
  expect((await signIn(world, other)).status).toBe(200);
});
