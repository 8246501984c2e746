import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { openMemberMarketplace } from './open-member-marketplace.ts';

const world = useWorld();

it('creates the marketplace once when several processes start together', async () => {
  const id = newId('mkt', Date.now());
  await Promise.all([1, 2, 3, 4].map(() => openMemberMarketplace(world.app, id)));
  await openMemberMarketplace(world.app, id);
  const created = await world.rows('select name from marketplace where public_id = $1', [id]);
  expect(created).toEqual([{ name: 'Surface B' }]);
  const audited = await world.rows('select action from audit where resource_id = $1', [id]);
  expect(audited).toEqual([{ action: 'MARKETPLACE_CREATED' }]);
});

it('lets a process start while the database is closed for recovery', async () => {
  await world.rows(`update lineage set status = 'REWOUND'`);
  const id = newId('mkt', Date.now());
  await openMemberMarketplace(world.app, id);
  await openMemberMarketplace(world.app, id);
  await world.rows(`update lineage set status = 'OPEN'`);
  const created = await world.rows('select name from marketplace where public_id = $1', [id]);
  expect(created).toEqual([{ name: 'Surface B' }]);
});
