import { expect, it } from 'vitest';
import { auditedBy, oneCall } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { freezeUser } from './freeze-user.ts';
import { unfreezeUser } from './unfreeze-user.ts';

const world = useWorld();

it('lets a suspended user act again, and no other', async () => {
  const market = await world.market();
  const id = await market.user();
  const because = { reason: 'they showed who they are' };
  await expect(unfreezeUser(world.app, market.call, id, because)).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'ACTIVE', allowed: ['SUSPENDED'] },
  });
  await freezeUser(world.app, market.call, id, { reason: 'to be sure' });
  const call = oneCall(market);
  expect(await unfreezeUser(world.app, call, id, because)).toMatchObject({ status: 'ACTIVE' });
  expect(await auditedBy(world, call)).toMatchObject([
    { action: 'USER_UNFROZEN', resource: id, reason: because.reason },
  ]);
});
