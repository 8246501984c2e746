import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getOrder } from '../orders/get-order.ts';
import { auditBooks, dealIn, type EscrowedDeal, stones } from '../testing/escrows.ts';
import { inboxRow, noticeOf, openWebhookWorld, type WebhookWorld } from '../testing/webhooks.ts';
import type { Market } from '../testing/world.ts';
import { applyInbox } from './apply-inbox.ts';
import { storeEvent } from './provider-event.ts';

let world: WebhookWorld;
let market: Market;
beforeAll(async () => {
  world = await openWebhookWorld();
  market = await world.market();
});
afterAll(async () => {
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});

/** As if the process had died between storing it and applying it. */
async function storeOnly(deal: EscrowedDeal, type: string, fields = {}): Promise<string> {
  const notice = await noticeOf(world, market, deal, type, fields);
  const { event_id: eventId } = notice;
  await storeEvent(world.app, {
    provider: 'escrow-provider',
    eventId,
    type,
    body: JSON.stringify(notice),
    requestId: randomUUID(),
  });
  return eventId;
}

const milestones = async ({ id }: EscrowedDeal) =>
  (await getOrder(world.app, market.call, id)).milestones.map(({ status }) => status);

it('applies what a process has stored and left, however many look for it', async () => {
  const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(3) });
  const refs = ['m1', 'm2', 'm3'];
  const ids = await Promise.all(
    refs.map((milestone_ref) => storeOnly(deal, 'escrow.milestone_completed', { milestone_ref })),
  );
  expect(await milestones(deal)).toEqual(['OPEN', 'OPEN', 'OPEN']);
  const workers = Array.from({ length: 4 }, () => applyInbox(world.custody));
  await Promise.all(workers);
  while ((await world.runInbox()) > 0);
  expect(await milestones(deal)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  for (const id of ids) expect(await inboxRow(world, id)).toMatchObject({ status: 'APPLIED' });
  const told = await world.rows(
    `select from audit where action = 'MILESTONE_COMPLETED' and resource_id = $1`,
    [deal.id],
  );
  expect(told).toHaveLength(3);
});

it('waits longer from try to try: a second, two, four … half a minute', async () => {
  const deal = await dealIn(world, market, 'IN_PROGRESS');
  const id = await storeOnly(deal, 'escrow.released');
  const waits: number[] = [];
  for (let round = 1; round <= 7; round += 1) {
    await applyInbox(world.custody);
    const [row] = await world.rows<{ wait: number; attempts: number }>(
      `select extract(epoch from next_try_at - now())::float8 as wait, attempts
       from inbox where provider_event_id = $1`,
      [id],
    );
    expect(row?.attempts).toBe(round);
    waits.push(Math.round(row?.wait ?? 0));
    // Not before its time.
    await applyInbox(world.custody);
    expect(await inboxRow(world, id)).toMatchObject({ attempts: round, status: 'PENDING' });
    await world.rows(`update inbox set next_try_at = received_at where provider_event_id = $1`, [
      id,
    ]);
  }
  expect(waits.map((wait, at) => Math.abs(wait - Math.min(30, 2 ** at)) <= 1)).not.toContain(false);
});

it('leaves what it has nobody to ask about', async () => {
  const deal = await dealIn(world, market, 'IN_PROGRESS');
  const id = await storeOnly(deal, 'escrow.funded');
  await applyInbox({ ...world.custody, escrows: undefined });
  expect(await inboxRow(world, id)).toMatchObject({ status: 'PENDING', attempts: 0 });
});

it('keeps the events of a marketplace from every other', async () => {
  const deal = await dealIn(world, market, 'IN_PROGRESS');
  const id = await storeOnly(deal, 'escrow.funded');
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
  const stranger = await world.market();
  expect(await seenIn(market.call.actor.marketplace)).toEqual([1, 1]);
  expect(await seenIn(stranger.call.actor.marketplace)).toEqual([0, 0]);
});
