import { randomUUID } from 'node:crypto';
import { type Instant, manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { takeStep } from '../../orders/escrow/escrow-steps.ts';
import { getOrder } from '../../orders/order/read-orders.ts';
import { type EscrowedOrder, escrowOrderIn, milestonesOf } from '../../testing/escrows.ts';
import { adaptersOf } from '../../testing/sandbox.ts';
import { inboxRow, notificationOf, useWebhookWorld } from '../../testing/webhooks.ts';
import { applyInbox } from './apply-inbox.ts';
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { storeEvent } from './inbox.ts';

const { world, market } = useWebhookWorld();

/** As if the process had died between storing it and applying it. */
async function storeOnly(order: EscrowedOrder, type: string, fields = {}): Promise<string> {
  const notification = await notificationOf(world, market, order, type, fields);
  const { event_id: eventId } = notification;
  await storeEvent(world.app, {
    provider: 'escrow-provider',
    eventId,
    type,
    body: JSON.stringify(notification),
    requestId: randomUUID(),
  });
  return eventId;
}

const milestones = async ({ id }: EscrowedOrder) =>
  (await getOrder(world.app, market.call, id)).milestones.map(({ status }) => status);

it('applies what a process has stored and left, however many workers run', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS', { milestones: milestonesOf(3) });
  const refs = ['m1', 'm2', 'm3'];
  const ids = await Promise.all(
    refs.map((milestone_ref) => storeOnly(order, 'escrow.milestone_completed', { milestone_ref })),
  );
  expect(await milestones(order)).toEqual(['OPEN', 'OPEN', 'OPEN']);
  const workers = Array.from({ length: 4 }, () => applyInbox(world.custody));
  await Promise.all(workers);
  while ((await world.runInbox()) > 0);
  expect(await milestones(order)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  for (const id of ids) expect(await inboxRow(world, id)).toMatchObject({ status: 'APPLIED' });
  const audited = await world.rows(
    `select from audit where action = 'MILESTONE_COMPLETED' and resource_id = $1`,
    [order.id],
  );
  expect(audited).toHaveLength(3);
});

async function timesOf(id: string): Promise<{ received: Instant; next: Instant }> {
  const [row] = await world.rows<{ received: Instant; next: Instant }>(
    `select round(extract(epoch from received_at) * 1000)::float8 as received,
       round(extract(epoch from next_try_at) * 1000)::float8 as next
     from inbox where provider_event_id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('it was stored');
  return row;
}

/** One attempt, at its due time. */
async function applyOnce(eventId: string, worker: Applier): Promise<void> {
  await world.rows(`update inbox set next_try_at = 'epoch' where provider_event_id = $1`, [
    eventId,
  ]);
  const { marketplace_id: marketplace = null } = (await inboxRow(world, eventId)) ?? {};
  await applyProviderEvent(worker, { provider: 'escrow-provider', eventId, marketplace });
}

it('waits longer from attempt to attempt: a second, two, four … half a minute', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
  const id = await storeOnly(order, 'escrow.released');
  const clock = manualClock((await timesOf(id)).received);
  const worker = { ...world.custody, clock };
  const waits: number[] = [];
  for (let round = 1; round <= 7; round += 1) {
    await applyInbox(worker);
    const wait = (await timesOf(id)).next - clock.now();
    waits.push(wait);
    // Not before it is due.
    clock.advance(wait - 1);
    await applyInbox(worker);
    expect(await inboxRow(world, id)).toMatchObject({ attempts: round, status: 'PENDING' });
    clock.advance(1);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1000));
});

describe('applying during an outage', () => {
  /** A real adapter whose port has no listener. */
  const away = () => adaptersOf({ ...world.sandbox, url: 'http://127.0.0.1:1' });
  const outages: readonly [string, () => Partial<Applier>][] = [
    ['network', () => ({ network: away().network })],
    ['provider', () => ({ escrows: away().escrow })],
  ];
  const ATTEMPTS = 15;

  /** Changes the network outside of Holdfast, without a webhook. */
  async function completeUpstream(order: EscrowedOrder): Promise<string> {
    const { escrow } = await getOrder(world.app, market.call, order.id);
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook');
    const taken = await takeStep(world.custody, market.call, `outside:complete:${order.id}`, {
      step: 'completeMilestone',
      kind: 'single-release',
      contractId: escrow?.providerContractId ?? '',
      milestoneIndex: 0,
      serviceProvider: escrow?.sellerAddress ?? '',
    });
    return taken.kind === 'done' ? taken.value.hash : '';
  }

  /** A hash of a transaction that the network has. */
  async function deployHash({ id }: EscrowedOrder): Promise<string> {
    return (await getOrder(world.app, market.call, id)).escrow?.deployHash ?? '';
  }

  it.each(outages)(
    'of the %s keeps a notification pending, however many attempts fail',
    async (_, overrides) => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
        milestones: milestonesOf(1),
      });
      const transaction_hash = await completeUpstream(order);
      const fields = { milestone_ref: 'm1', transaction_hash };
      const id = await storeOnly(order, 'escrow.milestone_completed', fields);
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
        await applyOnce(id, { ...world.custody, ...overrides() });
      expect(await inboxRow(world, id)).toMatchObject({ status: 'PENDING', attempts: 0 });
      await applyOnce(id, world.custody);
      expect(await inboxRow(world, id)).toMatchObject({ status: 'APPLIED' });
      expect(await milestones(order)).toEqual(['COMPLETED']);
    },
  );

  it.each(outages)(
    'of the %s still parks an untrue one, ten attempts after the outage',
    async (_, overrides) => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
        milestones: milestonesOf(1),
      });
      const fields = { milestone_ref: 'm1', transaction_hash: await deployHash(order) };
      const id = await storeOnly(order, 'escrow.milestone_completed', fields);
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
        await applyOnce(id, { ...world.custody, ...overrides() });
      for (let attempt = 1; attempt < 10; attempt += 1) await applyOnce(id, world.custody);
      expect(await inboxRow(world, id)).toMatchObject({ status: 'PENDING', attempts: 9 });
      await applyOnce(id, world.custody);
      expect(await inboxRow(world, id)).toMatchObject({ status: 'PARKED', attempts: 10 });
      expect(await milestones(order)).toEqual(['OPEN']);
    },
  );

  it('retries after as long as the event has been here, half a minute at most', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const id = await storeOnly(order, 'escrow.released');
    const clock = manualClock((await timesOf(id)).received);
    const worker = { ...world.custody, escrows: away().escrow, clock };
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await applyInbox(worker);
      const wait = (await timesOf(id)).next - clock.now();
      waits.push(wait);
      clock.advance(wait);
    }
    expect(waits).toEqual([1, 1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1000));
  });
});

it('leaves an event pending when it has no adapter to check it with', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
  const id = await storeOnly(order, 'escrow.funded');
  await applyInbox({ ...world.custody, escrows: undefined });
  expect(await inboxRow(world, id)).toMatchObject({ status: 'PENDING', attempts: 0 });
});

it('keeps the events of a marketplace from every other', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
  const id = await storeOnly(order, 'escrow.funded');
  await world.runInbox();
  const seenIn = async (marketplace: string) => {
    const client = await world.app.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('app.marketplace_id', $1, true)`, [marketplace]);
      const find = 'select from inbox where provider_event_id = $1';
      const found = (await client.query(find, [id])).rowCount;
      const steal = 'update inbox set marketplace_id = $2::bigint where provider_event_id = $1';
      return [found, (await client.query(steal, [id, marketplace])).rowCount];
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  const otherMarket = await world.market();
  expect(await seenIn(market.call.actor.marketplace)).toEqual([1, 1]);
  expect(await seenIn(otherMarket.call.actor.marketplace)).toEqual([0, 0]);
});
