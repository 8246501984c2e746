import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { desk, nextCode, PASSWORD } from '../../testing/operators.ts';
import { open, tokenOf } from '../../testing/scenarios/enrollment.ts';
import { useWorld } from '../../testing/use-world.ts';
import { masterCall } from '../../testing/world.ts';
import { createOperator } from './create-operator.ts';

const world = useWorld();

const inputFor = (email: string) => ({ email, name: 'Ada', password: PASSWORD });
const create = (body: object, headers = {}) =>
  world.send('POST', '/operators', { key: world.masterKey, body, headers });

it('with a password, returns the secret once and stores it sealed', async () => {
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

it('without one, returns a link once, and stores only a hash of its token', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { email: 'ina@example.test', name: 'Ina', isPlatformAdmin: true };
  const first = await create(body, headers);
  expect(first.status, first.text).toBe(201);
  const { operator, invitation, ...secret } = first.json.data.data;
  expect(secret).toEqual({});
  expect(invitation.link).toMatch(/^\/console\/enroll#[\w-]{43}$/);
  const expiresAt = Date.parse(invitation.expiresAt);
  expect(expiresAt - Date.parse(operator.createdAt)).toBe(48 * 3_600_000);
  expect(operator).toMatchObject({ status: 'INVITED', invitedBy: 'master', approvesFrom: null });
  expect((await create(body, headers)).json.data.data).toEqual({ operator });
  const token = tokenOf(first);
  for (const table of ['operator_invitation', 'audit', 'idempotency', 'operator']) {
    const like = `select from ${table} t where t::text like '%' || $1 || '%'`;
    expect(await world.rows(like, [token]), table).toEqual([]);
  }
  const audited = await world.rows(
    'select action, actor_id, after from audit where resource_id = $1 and marketplace_id = 0',
    [operator.id],
  );
  expect(audited).toEqual([
    {
      action: 'OPERATOR_INVITED',
      actor_id: 'master',
      after: { ...body, expiresAt: invitation.expiresAt },
    },
  ]);
  expect((await open(world, token)).status).toBe(200);
});

it('refuses a password in production', async () => {
  const { operators } = world.app;
  const strict = Object.assign(Object.create(operators), { acceptsPasswords: false });
  const app = { ...world.app, operators: strict };
  const call = masterCall();
  const refused = createOperator(app, call, inputFor('f@example.test'));
  await expect(refused).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { errors: [{ field: 'password', rule: 'unknown' }] },
  });
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
