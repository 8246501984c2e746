import { instantText, manualClock } from '@holdfast/kernel/clock';
import { beforeEach, expect, it } from 'vitest';
import { type Desk, desk, nextCode } from '../../testing/operators.ts';
import { useMarket } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const { world, market } = useMarket({ clock });

const rewind = () => world.rows(`update lineage set status = 'REWOUND', opened_at = null`);
const endRecovery = () =>
  world.rows(`insert into recovery_step (lineage, name, started_at, finished_at, detail)
    values (1, 'end', now(), now(), '') on conflict do nothing`);
beforeEach(rewind);

const reason = 'every difference is resolved';
const open = (by: Desk) => {
  clock.advance(60_000);
  const body = { reason, totp: nextCode(world, by) };
  return by.send('POST', '/recovery/open', { body });
};

it('takes two platform admins, who can sign in meanwhile, and no other operator', async () => {
  const [first, second, admin] = await (async () => {
    // Operators are created directly, which the closed database would refuse.
    await world.rows(`update lineage set status = 'OPEN'`);
    const options = { marketplaceId: market.id, role: 'viewer', isPlatformAdmin: true } as const;
    const desks = [await desk(world, options), await desk(world, options)] as const;
    const other = await desk(world, { marketplaceId: market.id, role: 'admin' });
    await rewind();
    return [...desks, other] as const;
  })();
  expect((await market.send('POST', '/users', { body: { externalUserId: 'a' } })).status).toBe(503);
  expect((await open(admin)).status).toBe(403);
  expect((await open(first)).json.error).toMatchObject({
    code: 'INVALID_STATE',
    details: { reason: 'its recovery is not finished yet' },
  });
  await endRecovery();
  const requested = await open(first);
  expect(requested.json.data.data).toMatchObject({
    status: 'REWOUND',
    openRequested: { requestedBy: first.id, reason },
  });
  expect((await open(first)).json.error.code).toBe('SECOND_APPROVER_REQUIRED');
  const opened = await open(second);
  expect(opened.json.data.data).toMatchObject({ status: 'OPEN', reason });
  expect((await market.send('POST', '/users', { body: { externalUserId: 'a' } })).status).toBe(201);
  const records = await world.rows(
    `select action, resource_id, after from audit where action like 'LINEAGE_OPEN%' order by occurred_at`,
  );
  expect(records).toEqual([
    { action: 'LINEAGE_OPEN_REQUESTED', resource_id: '1', after: null },
    {
      action: 'LINEAGE_OPENED',
      resource_id: '1',
      after: { requestedBy: first.id, because: reason },
    },
  ]);
  const events = await world.rows(
    `select aggregate_id, payload from outbox where event_type = 'marketplace.rewound'`,
  );
  const openedAt = instantText(clock.now());
  expect(events).toEqual([
    {
      aggregate_id: market.id,
      payload: { marketplaceId: market.id, lostFrom: expect.any(String), openedAt },
    },
  ]);
  expect((await open(first)).json.error).toMatchObject({ code: 'INVALID_STATE' });
});

it('refuses to open what no worker has checked', async () => {
  await world.rows(`update lineage set timeline = '000000FF'`);
  const { json } = await world.send('POST', '/recovery/open', {
    key: world.masterKey,
    body: { reason },
  });
  expect(json.error.code).toMatch(/INVALID_STATE|PLATFORM_ADMIN_REQUIRED/);
});
