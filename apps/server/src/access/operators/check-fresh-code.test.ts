import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { desk, nextCode, PASSWORD, person, signIn } from '../../testing/operators.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';

const clock = manualClock(Date.now());
const world = useOpenedEach(() => openWorld({ clock }));
const admin = useOpenedEach(() => desk(world, { isPlatformAdmin: true }));

const newcomer = () => ({
  email: `${crypto.randomUUID()}@example.test`,
  name: 'Eve',
  password: PASSWORD,
});
/** Every request that creates an operator, issues credentials, or shuts an operator out. */
const requests = async (): Promise<readonly (readonly [string, string, object])[]> => {
  const { id } = await person(world);
  return [
    ['POST', '/operators', newcomer()],
    ['PUT', `/operators/${id}/memberships`, { memberships: [] }],
    ['POST', `/operators/${id}/reset`, {}],
    ['PUT', `/operators/${id}/status`, { status: 'DISABLED' }],
  ];
};

it('requires a code of an operator: a session or a wrong code changes nothing', async () => {
  for (const [method, path, body] of await requests()) {
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

it('accepts a code for one request, once', async () => {
  for (const [method, path, body] of await requests()) {
    clock.advance(60_000);
    const totp = nextCode(world, admin);
    const response = await admin.send(method, path, { body: { ...body, totp } });
    expect([200, 201], response.text).toContain(response.status);
    const [again] = await requests();
    const [, , anotherBody] = again as NonNullable<typeof again>;
    const used = await admin.send('POST', '/operators', { body: { ...anotherBody, totp } });
    expect(used.json.error.code).toBe('SIGN_IN_REFUSED');
  }
});

it('requires no code of the master key', async () => {
  for (const [method, path, body] of await requests()) {
    const response = await world.send(method, path, { key: world.masterKey, body });
    expect([200, 201], response.text).toContain(response.status);
  }
});

it('counts a wrong code as sign-in does', async () => {
  const other = await desk(world, { isPlatformAdmin: true });
  for (let tries = 0; tries < 5; tries += 1)
    await other.send('POST', '/operators', { body: { ...newcomer(), totp: '000000' } });
  clock.advance(30_000);
  expect((await signIn(world, other)).status).toBe(401);
  clock.advance(60_000);
  expect((await signIn(world, other)).status).toBe(200);
});
