import { instantText } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { desk, nextCode } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

const set = (id: string, memberships: object[]) =>
  world.send('PUT', `/operators/${id}/memberships`, {
    key: world.masterKey,
    body: { memberships },
  });

it('takes effect from the next request on', async () => {
  const { id: marketplaceId } = await world.market();
  const who = await desk(world, { marketplaceId, role: 'viewer' });
  const keys = () => {
    const expiresAt = instantText(Date.now() + 86_400_000);
    const body = { name: 'k', scopes: ['read'], expiresAt, totp: nextCode(world, who) };
    return who.send('POST', '/auth/api-keys', { body });
  };
  expect((await keys()).status).toBe(403);
  await set(who.id, [{ marketplaceId, role: 'admin' }]);
  expect((await keys()).status).toBe(202);
  await set(who.id, []);
  expect((await who.send('GET', '/users')).json.error.code).toBe('MARKETPLACE_NOT_FOUND');
  const rows = await world.rows(
    `select before, after, public_id from audit a join marketplace m on m.id = a.marketplace_id
     where resource_id = $1 and action = 'OPERATOR_MEMBERSHIP_SET' order by a.id`,
    [who.id],
  );
  const steps = [null, 'viewer', 'admin', null];
  expect(rows).toEqual(
    [0, 1, 2].map((at) => ({
      public_id: marketplaceId,
      before: { role: steps[at] },
      after: { role: steps[at + 1] },
    })),
  );
});

it('refuses an unknown operator or marketplace, or a duplicate, and changes nothing', async () => {
  const { id: marketplaceId } = await world.market();
  const who = await desk(world, { marketplaceId, role: 'viewer' });
  const nowhere = { marketplaceId: `mkt_${'0'.repeat(26)}`, role: 'admin' };
  const here = { marketplaceId, role: 'admin' };
  const responses = [
    await set(`opr_${'0'.repeat(26)}`, [here]),
    await set(who.id, [here, nowhere]),
    await set(who.id, [here, { ...here, role: 'viewer' }]),
  ];
  expect(responses.map(({ json }) => json.error.code)).toEqual([
    'OPERATOR_NOT_FOUND',
    'MARKETPLACE_NOT_FOUND',
    'VALIDATION_ERROR',
  ]);
  const { json } = await who.send('GET', '/operators/me');
  expect(json.data.data.operator.memberships).toMatchObject([{ marketplaceId, role: 'viewer' }]);
});
