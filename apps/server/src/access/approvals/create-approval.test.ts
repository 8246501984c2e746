import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { type Desk, desk } from '../../testing/operators.ts';
import { orderIn } from '../../testing/orders.ts';
import { useMarket, useOpenedEach } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const KEY = 'b1e0a3c0-6f1c-41ee-8c99-0242ac120002';
const { world, market } = useMarket({ clock });
const finance = useOpenedEach(() => desk(world, { marketplaceId: market.id, role: 'finance' }));

const credit = (by: Desk, userId: string, amount: string, headers = {}) =>
  by.send('POST', `/users/${userId}/balance/credit`, { body: { amount }, headers });
const availableOf = async (userId: string) =>
  (await market.send('GET', `/users/${userId}/balance`)).json.data.data.available;

it('stores an approval for an adjustment of any amount, and moves nothing', async () => {
  const user = await market.user();
  const { status, json } = await credit(finance, user, '0.01');
  expect(status).toBe(202);
  expect(json.data.data).toMatchObject({
    status: 'PENDING',
    action: 'creditBalance',
    resourceId: user,
    amount: '0.01',
    currency: 'USD',
    request: { params: { userId: user }, body: { amount: '0.01' } },
    reason: 'a test',
    requestedBy: { id: finance.id, email: finance.email, name: 'Ada' },
    decidedBy: null,
  });
  expect(await availableOf(user)).toBe('0.00');
  expect(
    await world.rows('select action, actor_id, reason, after from audit where resource_id = $1', [
      json.data.data.id,
    ]),
  ).toEqual([
    {
      action: 'APPROVAL_REQUESTED',
      actor_id: finance.id,
      reason: 'a test',
      after: { action: 'creditBalance', resourceId: user, amount: '0.01', currency: 'USD' },
    },
  ]);
});

it('creates no approval for a key', async () => {
  const user = await market.user();
  const body = { amount: '9000.00' };
  expect((await market.send('POST', `/users/${user}/balance/credit`, { body })).status).toBe(200);
  expect(await availableOf(user)).toBe('9000.00');
});

it('returns one approval for the same request, with a key and without', async () => {
  const user = await market.user();
  const idOf = async (headers = {}, amount = '5.00') =>
    (await credit(finance, user, amount, headers)).json.data.data.id;
  const first = await idOf({ 'idempotency-key': KEY });
  const replayed = await credit(finance, user, '5.00', { 'idempotency-key': KEY });
  expect([replayed.status, replayed.headers['idempotency-replay']]).toEqual([202, 'true']);
  expect([replayed.json.data.data.id, await idOf()]).toEqual([first, first]);
  expect(await idOf({}, '6.00')).not.toBe(first);
  const other = await desk(world, { marketplaceId: market.id, role: 'finance' });
  expect((await credit(other, user, '5.00')).json.data.data.id).not.toBe(first);
});

it('creates a new approval once the old one has expired', async () => {
  const user = await market.user();
  const first = (await credit(finance, user, '5.00')).json.data.data;
  clock.advance(72 * 3_600_000);
  const later = await desk(world, { marketplaceId: market.id, role: 'finance' });
  const { json } = await later.send('GET', `/approvals/${first.id}`);
  expect(json.data.data.status).toBe('EXPIRED');
  expect((await credit(later, user, '5.00')).json.data.data.id).not.toBe(first.id);
});

it('creates no approval for a request that is refused anyway', async () => {
  const unknown = `usr_${'0'.repeat(26)}`;
  expect((await credit(finance, unknown, '5.00')).json.error.code).toBe('USER_NOT_FOUND');
  const wrong = await credit(finance, await market.user(), 'much');
  expect(wrong.json.error.code).toBe('INVALID_AMOUNT');
});

it('creates no approval for an order that cannot be settled now', async () => {
  const support = await desk(world, { marketplaceId: market.id, role: 'support' });
  const parties = { buyerId: await market.user(), sellerId: await market.user() };
  const input = { ...parties, amount: '900.00', title: 'A harp' };
  const { id } = (await market.send('POST', '/orders', { body: input })).json.data.data;
  for (const move of ['release', 'refund']) {
    const path = `/orders/${id}/resolution/${move}`;
    const { status, json } = await support.send('POST', path, { body: { reason: 'lost' } });
    expect([status, json.error?.code]).toEqual([400, 'INVALID_STATE']);
  }
});

it('creates no approval for a decision that cannot be made now', async () => {
  const support = await desk(world, { marketplaceId: market.id, role: 'support' });
  const { disputeId } = await orderIn(world, market, 'DISPUTED', { amount: '900.00' });
  const decide = (body: object) => support.send('POST', `/disputes/${disputeId}/resolve`, { body });
  const uneven = { decision: 'SPLIT', releaseAmount: '1.00', refundAmount: '2.00' };
  for (const body of [{ decision: 'FULL_REFUND' }, uneven]) {
    const { status, json } = await decide(body);
    expect([status, json.error?.code]).toEqual([400, 'INVALID_STATE']);
    expect(json.error.details).toMatchObject({ state: 'OPEN', allowed: ['UNDER_REVIEW'] });
  }
  const body = { assignedTo: support.email };
  await support.send('POST', `/disputes/${disputeId}/assign`, { body });
  expect((await decide(uneven)).json.error.code).toBe('INVALID_AMOUNT');
  expect((await decide({ decision: 'FULL_REFUND' })).status).toBe(202);
});
