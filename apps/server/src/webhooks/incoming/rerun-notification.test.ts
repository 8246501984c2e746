import { randomUUID } from 'node:crypto';
import type { NotificationId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { escrowOrderIn } from '../../testing/escrows.ts';
import { auditedBy, oneCall } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { aNotification } from '../../testing/scenarios/console-scenarios.ts';
import { notificationOf, useWebhookWorld } from '../../testing/webhooks.ts';
import { storeEvent } from './inbox.ts';
import { getNotification } from './read-notifications.ts';
import { rerunNotification } from './rerun-notification.ts';

const { world, market } = useWebhookWorld();

const reason = 'the network was behind';

it('lets the worker apply it again, and audits who requested it', async () => {
  const id = await aNotification({ world, market });
  const call = oneCall(market);
  const rerun = await rerunNotification(world.app, call, id, { reason, auditedIn: '1' });
  expect(rerun).toMatchObject({ id, status: 'PENDING', attempts: 0, reason: null });
  expect(await auditedBy(world, call)).toMatchObject([
    { action: 'WEBHOOK_RERUN', resource: id, before: { status: 'PARKED' }, reason },
  ]);
  await world.runInbox();
  // It matches nothing, so it is parked again after the usual number of attempts.
  expect(await getNotification(world.app, market.call, id)).toMatchObject({
    status: 'PENDING',
    attempts: 1,
    reason: 'Contract and order are unknown.',
  });
});

it('applies it when it matches by then, and not a second time', async () => {
  const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
  const notification = await notificationOf(world, market, order, 'escrow.funded');
  await storeEvent(world.app, {
    provider: 'escrow-provider',
    eventId: notification.event_id,
    type: notification.type,
    body: JSON.stringify(notification),
    requestId: randomUUID(),
  });
  await world.rows(`update inbox set status = 'PARKED' where provider_event_id = $1`, [
    notification.event_id,
  ]);
  const [{ id } = { id: '' as NotificationId }] = await world.rows<{ id: NotificationId }>(
    'select id from inbox where provider_event_id = $1',
    [notification.event_id],
  );
  // It has no marketplace yet: only an actor outside of all marketplaces sees it.
  await expect(
    rerunNotification(world.app, market.call, id, { reason, auditedIn: '1' }),
  ).rejects.toSatisfy(isRefusal('NOTIFICATION_NOT_FOUND'));
  const body = { reason };
  const path = `/inbox/${id}/rerun`;
  const sent = await world.send('POST', path, { key: world.masterKey, body });
  expect(sent.status, sent.text).toBe(200);
  await world.runInbox();
  expect(await getNotification(world.app, market.call, id)).toMatchObject({
    status: 'SUPERSEDED',
    resourceId: order.id,
  });
  const again = await market.send('POST', path, { body });
  expect(again.json.error).toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'SUPERSEDED' },
  });
});
