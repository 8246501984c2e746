import { setTimeout as sleep } from 'node:timers/promises';
import { LAB_SAMPLES } from '@holdfast/contract/enums';
import { beforeAll, expect, it } from 'vitest';
import { auditBooks, useEscrowWorld } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { eventsOf, oneCall, snapshotDatabase } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { openWorld } from '../../testing/world.ts';
import { type Sample, seedLab } from './seed-lab.ts';

const { world, market } = useEscrowWorld();
beforeAll(async () => {
  // The first seed creates the people of the lab; their wallets exist from then on.
  await seedLab(world.app, market.call, { sample: 'order-reserved', count: 4 });
  await world.runWorker();
});

/** Generous: these tests do not measure time. */
const seed = (sample: Sample, count = 1, runMsMax = 60_000) =>
  seedLab(world.app, market.call, { sample, count }, runMsMax);

const ENDS: Readonly<Record<Sample, string>> = {
  'order-reserved': 'FUNDS_RESERVED',
  'order-in-progress': 'IN_PROGRESS',
  'order-disputed': 'DISPUTED',
  'order-released': 'CLOSED',
};

it.each(LAB_SAMPLES)('runs %s to its end, and the books balance', async (sample) => {
  const { orders } = await seed(sample, 5);
  expect(orders.map(({ status, stoppedBy }) => [status, stoppedBy])).toEqual(
    Array.from({ length: 5 }, () => [ENDS[sample], null]),
  );
  expect(new Set(orders.map(({ id }) => id)).size).toBe(5);
  for (const { disputeId } of orders) expect(disputeId === null).toBe(ENDS[sample] !== 'DISPUTED');
  expect(await auditBooks(world)).toEqual([]);
});

it('emits events under the request, like every other operation of a marketplace', async () => {
  const call = oneCall(market);
  const { orders } = await seedLab(world.app, call, { sample: 'order-disputed', count: 1 });
  const events = await eventsOf(world, call);
  expect(events.map(({ type }) => type)).toEqual([
    'order.created',
    'balance.credited',
    'balance.reserved',
    'order.funds_reserved',
    'order.escrow_creating',
    'escrow.created',
    'order.escrow_funding',
    'balance.debited',
    'escrow.funding_started',
    'escrow.funded',
    'order.escrow_funded',
    'order.in_progress',
    'dispute.opened',
    'order.disputed',
  ]);
  expect(events.at(-1)?.payload).toMatchObject({ orderId: orders[0]?.id, openedBy: 'BUYER' });
});

it('uses only people of the lab, and the same ones', async () => {
  const users = await world.rows<{ email: string }>('select email from users order by email');
  expect(users).toHaveLength(8);
  for (const { email } of users) expect(email).toMatch(/^lab-[a-z]{3}@example\.test$/);
});

it('records which operator requested it, and why', async () => {
  const admin = await desk(world, { role: 'admin', marketplaceId: market.id });
  const headers = { 'x-holdfast-reason': 'to practise disputes' };
  const body = { sample: 'order-disputed', count: 1 };
  const { json } = await admin.send('POST', '/lab/seed', { body, headers });
  const [order] = json.data.data.orders;
  expect(order).toMatchObject({ status: 'DISPUTED', stoppedBy: null });
  const audited = await world.rows(
    'select action, actor_id as by, reason from audit where resource_id = $1 or resource_id = $2',
    [order.id, order.disputeId],
  );
  for (const action of ['ORDER_CREATED', 'ORDER_FUNDS_RESERVED', 'DISPUTE_OPENED'])
    expect(audited).toContainEqual({ action, by: admin.id, reason: 'to practise disputes' });
  const { 'x-holdfast-reason': _, ...silent } = admin.headers;
  const refused = await world.send('POST', '/lab/seed', { body, headers: silent });
  expect(refused.json.error.code).toBe('REASON_REQUIRED');
  expect(await auditBooks(world)).toEqual([]);
});

it('returns an order with an open outcome as it is; the worker finishes it', async () => {
  await world.sandbox.arm('escrow', 'fund', 'drop-after', 2);
  const { orders } = await seed('order-released', 2);
  for (const { status, stoppedBy } of orders) {
    expect(status).toBe('ESCROW_FUNDING');
    expect(stoppedBy).toMatch(/^PROVIDER_TIMEOUT: /);
  }
  expect(await world.engine.runWorker()).toBe(0);
  const { json } = await market.send('GET', `/orders/${orders[0]?.id}`);
  expect(json.data.data.status).toBe('IN_PROGRESS');
  expect(await auditBooks(world)).toEqual([]);
});

it('returns a refusal with its order, and runs the others', async () => {
  await world.sandbox.arm('escrow', 'fund', 'reject');
  const { orders } = await seed('order-in-progress', 3);
  const stopped = orders.filter(({ stoppedBy }) => stoppedBy !== null);
  expect(stopped).toHaveLength(1);
  expect(stopped[0]?.stoppedBy).toMatch(/^ESCROW_FUNDING_FAILED: /);
  expect(orders.filter(({ status }) => status === 'IN_PROGRESS')).toHaveLength(2);
});

/** The same service, on a database whose every query can be observed before it runs. */
function observing(onQuery: (text: string) => unknown): typeof world.app {
  const { pool } = world.app;
  const connect = async () => {
    const client = await pool.connect();
    const query = async (statement: string | { readonly text: string }) => {
      await onQuery(typeof statement === 'string' ? statement : statement.text);
      return client.query(statement as string);
    };
    return { query, release: (error?: Error) => client.release(error) };
  };
  const observedPool = { connect, query: pool.query.bind(pool) } as unknown as typeof pool;
  return { ...world.app, pool: observedPool };
}

/** From the first order on, this many reads fail. */
function failingReads(reads: number): typeof world.app {
  let left = 0;
  return observing((text) => {
    if (text.includes('insert into orders')) left = reads;
    else if (text.includes('read only') && left-- > 0)
      throw Object.assign(new Error('cut off'), { code: 'ECONNRESET' });
  });
}

it('returns a short database failure with the order that it affected', async () => {
  const wanted = { sample: 'order-in-progress', count: 1 } as const;
  const { orders } = await seedLab(failingReads(1), market.call, wanted, 60_000);
  expect(orders).toEqual([
    expect.objectContaining({
      status: 'ORDER_CREATED',
      stoppedBy: 'SERVICE_UNAVAILABLE: database unavailable',
    }),
  ]);
});

it('leaves the outcome open when orders cannot be read, so that no caller repeats it', async () => {
  const count = async () => (await world.rows('select id from orders')).length;
  const before = await count();
  const seeding = seedLab(failingReads(1_000), market.call, { sample: 'order-reserved', count: 3 });
  await expect(seeding).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
  expect(await count()).toBe(before + 3);
  expect(await auditBooks(world)).toEqual([]);
});

it('creates no order after the deadline of a request', async () => {
  const before = await snapshotDatabase(world);
  await expect(seed('order-released', 3, -1)).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
  expect(await snapshotDatabase(world)).toEqual(before);
});

it('starts no step when the deadline passes after the orders are created', async () => {
  const runMsMax = 2_000;
  const slow = observing((text) => text.includes('insert into orders') && sleep(runMsMax));
  const wanted = { sample: 'order-released', count: 1 } as const;
  const { orders } = await seedLab(slow, market.call, wanted, runMsMax);
  expect(orders).toHaveLength(1);
  for (const { status, stoppedBy } of orders)
    expect([status, stoppedBy]).toEqual([
      'ORDER_CREATED',
      'The request timed out before the next step started.',
    ]);
});

it('creates no order when one of its people is frozen', async () => {
  const { json } = await market.send('GET', '/users?externalUserId=lab-eve');
  const [eve] = json.data.data;
  await market.send('POST', `/users/${eve.id}/freeze`, { body: { reason: 'a test' } });
  const before = await snapshotDatabase(world);
  await expect(seed('order-reserved', 2)).rejects.toSatisfy(isRefusal('USER_NOT_ACTIVE'));
  expect(await snapshotDatabase(world)).toEqual(before);
  // The first scene has others.
  expect((await seed('order-reserved')).orders).toHaveLength(1);
  await market.send('POST', `/users/${eve.id}/unfreeze`, { body: { reason: 'a test' } });
});

it.each([0, 21, 1.5])('refuses %s as a count', async (count) => {
  const { json } = await market.send('POST', '/lab/seed', {
    body: { sample: 'order-reserved', count },
  });
  expect(json.error.code).toBe('VALIDATION_ERROR');
});

it('is unavailable where no sandbox is configured, and leaves nothing', async () => {
  const bare = await openWorld();
  try {
    const own = await bare.market();
    const body = { sample: 'order-reserved', count: 1 };
    const { status, json } = await own.send('POST', '/lab/seed', { body });
    expect([status, json.error.code]).toEqual([404, 'FEATURE_NOT_AVAILABLE']);
    expect(await bare.rows('select id from users')).toEqual([]);
  } finally {
    await bare.close();
  }
});
