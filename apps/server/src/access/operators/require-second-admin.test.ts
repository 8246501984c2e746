//! Tests what platform admins only decide together: limits, shares, capital, and rights of others.
import { randomUUID } from 'node:crypto';
import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { type Desk, desk, nextCode } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const env = { HOLDFAST_ADJUSTMENT_LIMIT: '100', HOLDFAST_TREASURY_SHARE: '100' };
const world = useWorld({ clock, env });

async function send(by: Desk, method: string, path: string, body: object) {
  clock.advance(60_000);
  return by.send(method, path, { body: { ...body, totp: nextCode(world, by) } });
}

const pair = async () => ({
  petra: await desk(world, { isPlatformAdmin: true }),
  paul: await desk(world, { isPlatformAdmin: true }),
});

/** A request that must wait; its approval's id. */
async function waiting(...request: Parameters<typeof send>): Promise<string> {
  const { status, text, json } = await send(...request);
  expect(status, text).toBe(202);
  return json.data.data.id;
}

interface Found {
  readonly id: string;
  readonly status: string;
  readonly memberships: readonly { readonly role: string }[];
  readonly approvesFrom: string | null;
}

const approve = (by: Desk, id: string) => by.send('POST', `/approvals/${id}/approve`);

it('lets one platform admin lower a limit, and two increase it', async () => {
  const { petra, paul } = await pair();
  const market = await world.market();
  const path = `/marketplaces/${market.id}/adjustment-limit`;
  const limit = async () => {
    const { json } = await petra.send('GET', `/marketplaces/${market.id}`);
    return json.data.data.adjustmentLimit.USD;
  };
  expect((await send(petra, 'PUT', path, { currency: 'USD', limit: '60.00' })).status).toBe(200);
  const more = { currency: 'USD', limit: '70.00' };
  const id = await waiting(petra, 'PUT', path, more);
  expect(await limit(), 'nothing has changed yet').toBe('60.00');
  expect((await approve(petra, id)).json.error.code).toBe('SECOND_APPROVER_REQUIRED');
  const byMaster = await world.send('PUT', path, { key: world.masterKey, body: more });
  expect(byMaster.json.error.code).toBe('PLATFORM_ADMIN_REQUIRED');
  const approved = await approve(paul, id);
  expect(approved.json.data.data, approved.text).toMatchObject({
    status: 'EXECUTED',
    requestedBy: { id: petra.id },
    decidedBy: { id: paul.id },
  });
  expect(await limit()).toBe('70.00');
  expect((await approve(paul, id)).json.error.code, 'once').toBe('INVALID_STATE');
  await waiting(petra, 'PUT', path, { currency: 'USD', limit: null });
});

it('counts what was there when the change is made, not when it was requested', async () => {
  const { petra, paul } = await pair();
  const market = await world.market();
  const path = `/marketplaces/${market.id}/adjustment-limit`;
  const lower = (by: Desk, limit: string) => send(by, 'PUT', path, { currency: 'USD', limit });
  clock.advance(60_000);
  const body = (by: Desk, limit: string) => ({
    body: { currency: 'USD', limit, totp: nextCode(world, by) },
  });
  // Both lower it from 100, but one of them comes second: from 10 to 50 is an increase.
  const statuses = await Promise.all([
    petra.send('PUT', path, body(petra, '10.00')),
    paul.send('PUT', path, body(paul, '50.00')),
  ]);
  const [first, second] = statuses.map(({ status }) => status);
  expect([200, 202]).toContain(second);
  expect(first).toBe(200);
  expect((await lower(paul, '10.00')).status).toBe(200);
});

it('takes two for a larger share of the treasury, for capital and for more rights', async () => {
  const { petra, paul } = await pair();
  const market = await world.market();
  const clerk = await desk(world, { role: 'support', marketplaceId: market.id });
  const memberships = (role: string) => ({
    memberships: [{ marketplaceId: market.id, role }],
  });
  const share = `/marketplaces/${market.id}/treasury-share`;
  const roles = `/operators/${clerk.id}/memberships`;
  const alone = [
    await send(petra, 'PUT', share, { asset: 'XLM', funded: '50.00' }),
    await send(petra, 'PUT', roles, memberships('viewer')),
    await send(petra, 'PUT', `/operators/${clerk.id}/status`, { status: 'DISABLED' }),
  ];
  expect(alone.map(({ status }) => status)).toEqual([200, 200, 200]);
  const capital = { location: 'ledger_network', asset: 'XLM', amount: '5', reason: randomUUID() };
  const requests = [
    await waiting(petra, 'PUT', share, { asset: 'XLM', funded: '50.01' }),
    await waiting(petra, 'PUT', roles, memberships('finance')),
    await waiting(petra, 'PUT', `/operators/${clerk.id}/status`, { status: 'ACTIVE' }),
    await waiting(petra, 'POST', '/solvency/capital', capital),
  ];
  const listed = await paul.send('GET', '/approvals?status=PENDING');
  const ids: { id: string }[] = listed.json.data.data;
  expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining(requests));
  for (const id of requests) {
    const approved = await approve(paul, id);
    expect(approved.json.data.data?.status, approved.text).toBe('EXECUTED');
  }
  const { json } = await petra.send('GET', '/operators?limit=100');
  const found: Found[] = json.data.data;
  const after = found.find(({ id }) => id === clerk.id);
  expect([after?.status, after?.memberships[0]?.role]).toEqual(['ACTIVE', 'finance']);
  expect(after?.approvesFrom, 'new rights approve nothing for a day').not.toBeNull();
});

it('is not executed for a requester who is no platform admin any more', async () => {
  const { petra, paul } = await pair();
  const third = await desk(world, { isPlatformAdmin: true });
  const market = await world.market();
  const path = `/marketplaces/${market.id}/adjustment-limit`;
  const id = await waiting(petra, 'PUT', path, { currency: 'USD', limit: '900.00' });
  expect(
    (await send(third, 'PUT', `/operators/${petra.id}/status`, { status: 'DISABLED' })).status,
  ).toBe(200);
  expect((await approve(paul, id)).json.error.code).toBe('OPERATOR_ROLE_REQUIRED');
});

it('keeps the requests of platform admins and of a marketplace apart', async () => {
  const { petra } = await pair();
  const market = await world.market();
  const path = `/marketplaces/${market.id}/adjustment-limit`;
  const id = await waiting(petra, 'PUT', path, { currency: 'USD', limit: '900.00' });
  const admin = await desk(world, { role: 'admin', marketplaceId: market.id });
  expect((await admin.send('GET', `/approvals/${id}`)).json.error.code).toBe('APPROVAL_NOT_FOUND');
  expect((await approve(admin, id)).json.error.code).toBe('APPROVAL_NOT_FOUND');
  expect((await market.send('GET', `/approvals/${id}`)).json.error.code).toBe('APPROVAL_NOT_FOUND');
  const roleless = await desk(world);
  expect((await approve(roleless, id)).json.error.code).toBe('OPERATOR_ROLE_REQUIRED');
});

it('needs a code of the requester', async () => {
  const { petra } = await pair();
  const market = await world.market();
  const path = `/marketplaces/${market.id}/adjustment-limit`;
  const body = { currency: 'USD', limit: '1.00' };
  const none = await petra.send('PUT', path, { body });
  expect(none.json.error.code).toBe('VALIDATION_ERROR');
  const wrong = await petra.send('PUT', path, { body: { ...body, totp: '000000' } });
  expect(wrong.json.error.code).toBe('SIGN_IN_REFUSED');
});
