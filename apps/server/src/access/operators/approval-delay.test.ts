import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { transact } from '../../platform/database/transact.ts';
import { desk, deskOf, requestApproval } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';
import { masterCall } from '../../testing/world.ts';
import { delayApprovals } from './approval-delay.ts';

const HOUR_MS = 3_600_000;

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('refuses decisions on approvals for a day, to the instant', async () => {
  const market = await world.market();
  const options = { role: 'admin', marketplaceId: market.id } as const;
  const [requester, second] = [await desk(world, options), await desk(world, options)];
  const path = `/users/${await market.user()}/balance/credit`;
  const id = await requestApproval(requester, path, { amount: '1.00' });
  await transact(world.app, masterCall(), (tx) => delayApprovals(tx, second.id));
  const from = new Date(clock.now() + 24 * HOUR_MS).toISOString();
  for (const decision of ['approve', 'reject']) {
    const refused = await second.send('POST', `/approvals/${id}/${decision}`, { body: {} });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'APPROVER_TOO_NEW']);
    expect(refused.json.error.details).toEqual({ from });
  }
  clock.advance(24 * HOUR_MS - 1);
  const late = await deskOf(world, second, market.id);
  expect((await late.send('POST', `/approvals/${id}/approve`, { body: {} })).status).toBe(403);
  clock.advance(1);
  expect((await late.send('POST', `/approvals/${id}/approve`, { body: {} })).status).toBe(200);
});

it('keeps requests of a new operator from being approved, but not from being rejected', async () => {
  const market = await world.market();
  const options = { role: 'admin', marketplaceId: market.id } as const;
  const [puppet, inviter] = [await desk(world, options), await desk(world, options)];
  await transact(world.app, masterCall(), (tx) => delayApprovals(tx, puppet.id));
  const path = `/users/${await market.user()}/balance/credit`;
  const id = await requestApproval(puppet, path, { amount: '1.00' });
  const approved = await inviter.send('POST', `/approvals/${id}/approve`, { body: {} });
  expect([approved.status, approved.json.error.code]).toEqual([403, 'APPROVER_TOO_NEW']);
  const rejected = await inviter.send('POST', `/approvals/${id}/reject`, { body: {} });
  expect(rejected.status, rejected.text).toBe(200);
});

it('never becomes shorter', async () => {
  const { id } = await desk(world);
  await transact(world.app, masterCall(), (tx) => delayApprovals(tx, id));
  clock.advance(HOUR_MS);
  await transact(world.app, masterCall(), (tx) => delayApprovals(tx, id));
  clock.advance(-2 * HOUR_MS);
  await transact(world.app, masterCall(), (tx) => delayApprovals(tx, id));
  const [row] = await world.rows('select approves_from from operator where id = $1', [id]);
  expect(new Date(row?.['approves_from']).getTime() - clock.now()).toBe(26 * HOUR_MS);
});
