import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { desk, nextCode, PASSWORD } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

const inputFor = (email: string) => ({ email, name: 'Ada', password: PASSWORD });
const create = (body: object, headers = {}) =>
  world.send('POST', '/operators', { key: world.masterKey, body, headers });

it('returns the secret once and stores it sealed', async () => {
  const headers = { 'idempotency-key': 'b1e0a3c0-6f1c-41ee-8c99-0242ac120002' };
  const first = await create(inputFor('ada@example.test'), headers);
  expect(first.status, first.text).toBe(201);
  const { operator, totpSecret, totpUri } = first.json.data.data;
  expect(operator).toMatchObject({ email: 'ada@example.test', status: 'ACTIVE', memberships: [] });
  expect(totpUri).toContain(totpSecret);
  const again = await create(inputFor('ada@example.test'), headers);
  expect(again.json.data.data).toEqual({ operator });
  const [row] = await world.rows('select * from operator where id = $1', [operator.id]);
  expect(row?.['password_hash']).toMatch(/^\$argon2id\$/);
  // Nonce, twenty bytes and a tag: the plain secret is not among them.
  expect(row?.['totp_secret']).toHaveLength(12 + 20 + 16);
  expect(row?.['totp_key_version']).toBe('dev');
  expect(JSON.stringify(await world.rows('select * from audit'))).not.toContain(totpSecret);
});

it('matches an address in any case', async () => {
  await create(inputFor('bea@example.test'));
  const { status, json } = await create(inputFor('BEA@example.test'));
  expect([status, json.error.code]).toEqual([409, 'OPERATOR_EXISTS']);
});

it('refuses a short password and an unknown marketplace', async () => {
  const short = await create({ ...inputFor('c@example.test'), password: 'eleven char' });
  expect(short.json.error.code).toBe('VALIDATION_ERROR');
  const marketplaceId = `mkt_${'0'.repeat(26)}`;
  const memberships = [{ marketplaceId, role: 'viewer' }];
  const lost = await create({ ...inputFor('c@example.test'), memberships });
  expect(lost.json.error).toMatchObject({
    code: 'MARKETPLACE_NOT_FOUND',
    details: { marketplaceId },
  });
  expect((await create(inputFor('c@example.test'))).status, 'nothing was left behind').toBe(201);
});

it('is for platform admins, who give a reason, and for no other operator', async () => {
  const admin = await desk(world, { isPlatformAdmin: true });
  const totp = nextCode(world, admin);
  const body = { ...inputFor('d@example.test'), totp };
  const headers = { 'idempotency-key': randomUUID() };
  const response = await admin.send('POST', '/operators', { body, headers });
  expect(response.status, response.text).toBe(201);
  const { id } = response.json.data.data.operator;
  expect(
    await world.rows('select actor_type, actor_id, reason from audit where resource_id = $1', [id]),
  ).toEqual([{ actor_type: 'OPERATOR', actor_id: admin.id, reason: 'a test' }]);
  const again = await admin.send('POST', '/operators', { body, headers });
  expect([again.status, again.json.data.data.operator.id]).toEqual([201, id]);
  const { id: marketplaceId } = await world.market();
  const other = await desk(world, { role: 'admin', marketplaceId });
  const refused = await other.send('POST', '/operators', { body: inputFor('e@example.test') });
  expect(refused.json.error.code).toBe('OPERATOR_ROLE_REQUIRED');
});
