import { manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { desk, nextCode, PASSWORD, signIn } from '../../testing/operators.ts';
import { activate, enroll, invite, open, tokenOf } from '../../testing/scenarios/enrollment.ts';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

const resetByMaster = (id: string) =>
  world.send('POST', `/operators/${id}/reset`, { key: world.masterKey });

describe('a reset', () => {
  it('ends sessions, password and secret, and returns a link and no credentials', async () => {
    const who = await desk(world);
    const { status, json } = await resetByMaster(who.id);
    const { operator, invitation, ...secret } = json.data.data;
    expect([status, operator.id, operator.status, secret]).toEqual([200, who.id, 'INVITED', {}]);
    expect(invitation.link).toContain('/console/enroll#');
    expect((await who.send('GET', '/operators/me')).status).toBe(401);
    clock.advance(30_000);
    expect((await signIn(world, who)).status).toBe(401);
    const rows = await world.rows(
      `select action, before from audit where resource_id = $1 order by id desc limit 1`,
      [who.id],
    );
    expect(rows).toEqual([{ action: 'OPERATOR_RESET', before: { status: 'ACTIVE' } }]);
  });

  it('ends the keys that the operator requested', async () => {
    const market = await world.market();
    const who = await desk(world, { role: 'admin', marketplaceId: market.id });
    await world.rows(
      `update api_key set created_by = $1, created_by_name = 'Ada', approved_by = 'opr_another',
         approved_by_name = 'Bea', expires_at = now() + interval '1 day'
       where id = $2`,
      [who.id, market.keyId],
    );
    await resetByMaster(who.id);
    const [key] = await world.rows('select revoked_at from api_key where id = $1', [market.keyId]);
    expect(key?.['revoked_at']).not.toBeNull();
  });

  it('replaces a link that was not used, and credentials that were not activated', async () => {
    const person = await invite(world);
    const [first, second] = [await resetByMaster(person.id), await resetByMaster(person.id)];
    expect((await open(world, person.token)).json.error.code).toBe('INVITATION_INVALID');
    expect((await open(world, tokenOf(first))).json.error.code).toBe('INVITATION_INVALID');
    await enroll(world, { ...person, token: tokenOf(second) });
    const third = await resetByMaster(person.id);
    expect(third.json.data.data.operator.status).toBe('INVITED');
    expect((await open(world, tokenOf(third))).status).toBe(200);
  });

  it('brings a disabled operator back only by a new enrollment', async () => {
    const who = await desk(world);
    const key = world.masterKey;
    const set = (status: string) =>
      world.send('PUT', `/operators/${who.id}/status`, { key, body: { status } });
    await set('DISABLED');
    await resetByMaster(who.id);
    expect((await set('ACTIVE')).json.error.code).toBe('INVALID_STATE');
  });

  it('returns 404 for an unknown operator', async () => {
    const { json } = await resetByMaster(`opr_${'0'.repeat(26)}`);
    expect(json.error.code).toBe('OPERATOR_NOT_FOUND');
  });
});

it('is of no use to a platform admin alone, and takes a code and another admin', async () => {
  const { id: marketplaceId } = await world.market();
  const [petra, paul] = [
    await desk(world, { isPlatformAdmin: true }),
    await desk(world, { isPlatformAdmin: true }),
  ];
  const victim = await desk(world, { role: 'finance', marketplaceId });
  const path = `/operators/${victim.id}/reset`;
  expect((await petra.send('POST', path, { body: {} })).json.error.code).toBe('VALIDATION_ERROR');
  expect((await resetByMaster(victim.id)).json.error.code).toBe('PLATFORM_ADMIN_REQUIRED');
  expect((await victim.send('GET', '/operators/me')).status, 'nothing happened yet').toBe(200);
  const reset = await petra.send('POST', path, { body: { totp: nextCode(world, petra) } });
  expect(reset.status, reset.text).toBe(200);
  const { email } = victim;
  const taken = await enroll(world, { id: victim.id, email, token: tokenOf(reset) });
  clock.advance(30_000);
  expect((await signIn(world, taken)).status).toBe(401);
  const alone = await activate(world, petra, victim.id, taken.code);
  expect(alone.json.error.code).toBe('SECOND_APPROVER_REQUIRED');
  const byOther = await activate(world, paul, victim.id, taken.code);
  expect(byOther.json.data.data).toMatchObject({
    status: 'ACTIVE',
    invitedBy: null,
    memberships: [{ role: 'finance' }],
  });
  expect((await signIn(world, taken, { password: PASSWORD })).status).toBe(200);
});
