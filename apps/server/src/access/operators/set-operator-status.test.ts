import { expect, it } from 'vitest';
import { desk, signIn } from '../../testing/operators.ts';
import { enroll, invite } from '../../testing/scenarios/enrollment.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

const set = (id: string, status: string) =>
  world.send('PUT', `/operators/${id}/status`, { key: world.masterKey, body: { status } });

it('does not activate an operator who never was: neither directly nor after disabling', async () => {
  const nora = await enroll(world, await invite(world));
  const refused = await set(nora.id, 'ACTIVE');
  expect(refused.json.error).toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'ENROLLED', allowed: ['DISABLED'] },
  });
  expect((await set(nora.id, 'DISABLED')).json.data.data.status).toBe('DISABLED');
  expect((await set(nora.id, 'ACTIVE')).json.error.code).toBe('INVALID_STATE');
  expect((await signIn(world, nora)).status).toBe(401);
});

it('ends every session at once, and restores none of them', async () => {
  const who = await desk(world, { isPlatformAdmin: true });
  expect((await set(who.id, 'DISABLED')).json.data.data.status).toBe('DISABLED');
  expect((await who.send('GET', '/operators/me')).status).toBe(401);
  expect((await signIn(world, who)).status).toBe(401);
  await set(who.id, 'ACTIVE');
  expect((await who.send('GET', '/operators/me')).status).toBe(401);
  await set(who.id, 'ACTIVE');
  const audited = await world.rows(
    `select after from audit where resource_id = $1 and action = 'OPERATOR_STATUS_SET' order by id`,
    [who.id],
  );
  expect(audited).toEqual([{ after: { status: 'DISABLED' } }, { after: { status: 'ACTIVE' } }]);
});

it('returns 404 for an unknown operator', async () => {
  const { json } = await set(`opr_${'0'.repeat(26)}`, 'DISABLED');
  expect(json.error.code).toBe('OPERATOR_NOT_FOUND');
});
