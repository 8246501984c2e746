//! Tests the metadata of every kind of event: what caused it, and whom it is about.
import type { EventEnvelope } from '@holdfast/contract/events';
import { expect, it } from 'vitest';
import { custodyJobs } from '../../app/jobs.ts';
import { PAYMENT_SECRET } from '../../testing/payment-webhooks.ts';
import { runTraffic, useReconciledWorld } from '../../testing/reconciliation.ts';
import { storePaymentNotifications } from '../../testing/scenarios/topup-scenarios.ts';

const { world, market } = useReconciledWorld({ PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET });

/** About one user each. */
const OF_ONE_USER = /^(user|balance|topup|withdrawal)\./;

async function readEvents(): Promise<EventEnvelope[]> {
  await world.sequence();
  const events: EventEnvelope[] = [];
  for (let after = '', hasMore = true; hasMore; ) {
    const query = `limit=100${after && `&after=${after}`}`;
    const page = (await market.send('GET', `/events/log?${query}`)).json.data;
    events.push(...page.data);
    ({ nextCursor: after, hasMore } = page);
  }
  return events;
}

it('names the user, the operation and the notification of an event where there is one', async () => {
  await runTraffic(world, market);
  await storePaymentNotifications({ world, market });
  await custodyJobs.find(({ name }) => name === 'apply-inbox')?.run(world.custody);
  const events = await readEvents();
  const idsOf = async (query: string) =>
    new Set((await world.rows<{ id: string }>(query)).map(({ id }) => id));
  const causes = await idsOf('select id from operation union all select id from inbox');
  const users = await idsOf('select id from users');
  for (const { eventType, metadata } of events) {
    const { userId, causationId } = metadata;
    expect(userId !== undefined, eventType).toBe(OF_ONE_USER.test(eventType));
    if (userId !== undefined) expect(users).toContain(userId);
    if (causationId !== undefined) expect(causes).toContain(causationId);
  }
  const causesOf = (type: string) =>
    new Set(
      events
        .filter(({ eventType }) => eventType === type)
        .map(({ metadata: { causationId } }) => causationId?.split('_')[0]),
    );
  expect(causesOf('user.created')).toEqual(new Set([undefined]));
  expect(causesOf('order.created')).toEqual(new Set([undefined]));
  expect(causesOf('balance.reserved')).toContain(undefined);
  for (const type of ['escrow.created', 'escrow.funded', 'escrow.released', 'withdrawal.completed'])
    expect(causesOf(type), type).toContain('op');
  expect(causesOf('topup.failed')).toContain('inb');
  // In a marketplace of its own, as its terms differ.
  const paid = await idsOf(
    "select causation_id as id from event where event_type = 'topup.succeeded'",
  );
  expect([...paid].map((id) => id?.split('_')[0])).toContain('inb');
});
