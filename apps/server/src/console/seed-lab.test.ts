import { setTimeout as sleep } from 'node:timers/promises';
import { LAB_STORIES } from '@holdfast/contract/words';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { auditBooks, type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
import { desk } from '../testing/operators.ts';
import { imprint, oneCall, toldBy } from '../testing/orders.ts';
import { isRefusal } from '../testing/refusal.ts';
import { type Market, openWorld } from '../testing/world.ts';
import { type Story, seedLab } from './seed-lab.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
  // Who acts in stories is called once; their wallets are there from then on.
  await seedLab(world.app, market.call, { story: 'order-reserved', count: 4 });
  await world.runWorker();
});
afterAll(() => world.close());
beforeEach(() => world.sandbox.clearFaults());

/** A busy machine is not what these are about. */
const seed = (story: Story, count = 1, playMsMax = 60_000) =>
  seedLab(world.app, market.call, { story, count }, playMsMax);

const ENDS: Readonly<Record<Story, string>> = {
  'order-reserved': 'FUNDS_RESERVED',
  'order-in-progress': 'IN_PROGRESS',
  'order-disputed': 'DISPUTED',
  'order-released': 'CLOSED',
};

it.each(LAB_STORIES)('plays %s to its end, and the books hold', async (story) => {
  const { orders } = await seed(story, 5);
  expect(orders.map(({ status, stoppedBy }) => [status, stoppedBy])).toEqual(
    Array.from({ length: 5 }, () => [ENDS[story], null]),
  );
  expect(new Set(orders.map(({ id }) => id)).size).toBe(5);
  for (const { disputeId } of orders) expect(disputeId === null).toBe(ENDS[story] !== 'DISPUTED');
  expect(await auditBooks(world)).toEqual([]);
});

it('is told by events under the request, like everything that a marketplace does', async () => {
  const call = oneCall(market);
  const { orders } = await seedLab(world.app, call, { story: 'order-disputed', count: 1 });
  const told = await toldBy(world, call);
  expect(told.map(({ type }) => type)).toEqual([
    'order.created',
    'balance.credited',
    'balance.reserved',
    'order.funds_reserved',
    'order.escrow_creating',
    'escrow.created',
    'order.escrow_funding',
    'escrow.funding_started',
    'escrow.funded',
    'order.escrow_funded',
    'order.in_progress',
    'dispute.opened',
    'order.disputed',
  ]);
  expect(told.at(-1)?.payload).toMatchObject({ orderId: orders[0]?.id, openedBy: 'BUYER' });
});

it('keeps to pretended people, and to the same ones', async () => {
  const users = await world.rows<{ email: string }>('select email from users order by email');
  expect(users).toHaveLength(8);
  for (const { email } of users) expect(email).toMatch(/^lab-[a-z]{3}@example\.test$/);
});

it('writes down which operator asked, and why', async () => {
  const admin = await desk(world, { role: 'admin', marketplaceId: market.id });
  const headers = { 'x-holdfast-reason': 'to practise disputes' };
  const body = { story: 'order-disputed', count: 1 };
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

it('tells an order whose outcome is open as it is; the worker ends it', async () => {
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

it('tells a refusal with its order, and plays the others', async () => {
  await world.sandbox.arm('escrow', 'fund', 'reject');
  const { orders } = await seed('order-in-progress', 3);
  const stopped = orders.filter(({ stoppedBy }) => stoppedBy !== null);
  expect(stopped).toHaveLength(1);
  expect(stopped[0]?.stoppedBy).toMatch(/^ESCROW_FUNDING_FAILED: /);
  expect(orders.filter(({ status }) => status === 'IN_PROGRESS')).toHaveLength(2);
});

/** The same service, on a database whose every question somebody hears before it is asked. */
function heardBy(hear: (text: string) => unknown): typeof world.app {
  const { pool } = world.app;
  const connect = async () => {
    const client = await pool.connect();
    const query = async (asked: string | { readonly text: string }) => {
      await hear(typeof asked === 'string' ? asked : asked.text);
      return client.query(asked as string);
    };
    return { query, release: (error?: Error) => client.release(error) };
  };
  const heard = { connect, query: pool.query.bind(pool) } as unknown as typeof pool;
  return { ...world.app, pool: heard };
}

/** From the first order on, so many reads find no database. */
function forgetful(reads: number): typeof world.app {
  let left = 0;
  return heardBy((text) => {
    if (text.includes('insert into orders')) left = reads;
    else if (text.includes('read only') && left-- > 0)
      throw Object.assign(new Error('cut off'), { code: 'ECONNRESET' });
  });
}

it('tells a database that was away for a moment with the order that it struck', async () => {
  const wanted = { story: 'order-in-progress', count: 1 } as const;
  const { orders } = await seedLab(forgetful(1), market.call, wanted, 60_000);
  expect(orders).toEqual([
    expect.objectContaining({
      status: 'ORDER_CREATED',
      stoppedBy: 'SERVICE_UNAVAILABLE: the database is away',
    }),
  ]);
});

it('leaves the outcome open, so that nobody repeats it, when orders cannot be read', async () => {
  const count = async () => (await world.rows('select id from orders')).length;
  const before = await count();
  const seeding = seedLab(forgetful(1_000), market.call, { story: 'order-reserved', count: 3 });
  await expect(seeding).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
  expect(await count()).toBe(before + 3);
  expect(await auditBooks(world)).toEqual([]);
});

it('makes no order when the time of a request is over', async () => {
  const before = await imprint(world);
  await expect(seed('order-released', 3, -1)).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
  expect(await imprint(world)).toEqual(before);
});

it('begins no step when the time is over once the orders are made', async () => {
  const playMsMax = 2_000;
  const slow = heardBy((text) => text.includes('insert into orders') && sleep(playMsMax));
  const wanted = { story: 'order-released', count: 1 } as const;
  const { orders } = await seedLab(slow, market.call, wanted, playMsMax);
  expect(orders).toHaveLength(1);
  for (const { status, stoppedBy } of orders)
    expect([status, stoppedBy]).toEqual(['ORDER_CREATED', expect.stringMatching(/^The time /)]);
});

it('makes no order when one of its people is frozen', async () => {
  const { json } = await market.send('GET', '/users?externalUserId=lab-eve');
  const [eve] = json.data.data;
  await market.send('POST', `/users/${eve.id}/freeze`, { body: { reason: 'a test' } });
  const before = await imprint(world);
  await expect(seed('order-reserved', 2)).rejects.toSatisfy(isRefusal('USER_NOT_ACTIVE'));
  expect(await imprint(world)).toEqual(before);
  // The first scene has others.
  expect((await seed('order-reserved')).orders).toHaveLength(1);
  await market.send('POST', `/users/${eve.id}/unfreeze`, { body: { reason: 'a test' } });
});

it.each([0, 21, 1.5])('does not take %s as a count', async (count) => {
  const { json } = await market.send('POST', '/lab/seed', {
    body: { story: 'order-reserved', count },
  });
  expect(json.error.code).toBe('VALIDATION_ERROR');
});

it('is not there where no sandbox is configured, and leaves nothing', async () => {
  const bare = await openWorld();
  try {
    const own = await bare.market();
    const body = { story: 'order-reserved', count: 1 };
    const { status, json } = await own.send('POST', '/lab/seed', { body });
    expect([status, json.error.code]).toEqual([404, 'FEATURE_NOT_AVAILABLE']);
    expect(await bare.rows('select id from users')).toEqual([]);
  } finally {
    await bare.close();
  }
});
