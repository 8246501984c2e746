import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { desk, nextCode, PASSWORD, person } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

const create = (headers = {}) => {
  const body = { email: `${randomUUID()}@example.test`, name: 'Ada', password: PASSWORD };
  return world.send('POST', '/operators', { key: world.masterKey, body, headers });
};

it('lets the master key create operators until two platform admins are active', async () => {
  const first = await desk(world, { isPlatformAdmin: true });
  expect((await create()).status, 'one platform admin').toBe(201);
  const second = await person(world, { isPlatformAdmin: true });
  const refused = await create();
  expect([refused.status, refused.json.error.code]).toEqual([403, 'PLATFORM_ADMIN_REQUIRED']);
  const byMaster = await world.send('PUT', `/operators/${second.id}/status`, {
    key: world.masterKey,
    body: { status: 'DISABLED' },
  });
  expect(byMaster.json.error.code, 'it disables none who bind it').toBe('PLATFORM_ADMIN_REQUIRED');
  const disabled = await first.send('PUT', `/operators/${second.id}/status`, {
    body: { status: 'DISABLED', totp: nextCode(world, first) },
  });
  expect(disabled.status, disabled.text).toBe(200);
  expect((await create()).status, 'one platform admin again').toBe(201);
});
