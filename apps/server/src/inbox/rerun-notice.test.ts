import { randomUUID } from 'node:crypto';
import type { NoticeId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aNotice } from '../testing/console-scenarios.ts';
import { dealIn } from '../testing/escrows.ts';
import { auditedBy, oneCall } from '../testing/orders.ts';
import { isRefusal } from '../testing/refusal.ts';
import { noticeOf, openWebhookWorld, type WebhookWorld } from '../testing/webhooks.ts';
import type { Market } from '../testing/world.ts';
import { getNotice } from './get-notice.ts';
import { storeEvent } from './provider-event.ts';
import { rerunNotice } from './rerun-notice.ts';

let world: WebhookWorld;
let market: Market;
beforeAll(async () => {
  world = await openWebhookWorld();
  market = await world.market();
});
afterAll(() => world.close());

const reason = 'the network was behind';

it('is taken up again by the worker, and says who wanted it', async () => {
  const id = await aNotice({ world, market });
  const call = oneCall(market);
  const asked = await rerunNotice(world.app, call, id, { reason, auditedIn: '1' });
  expect(asked).toMatchObject({ id, status: 'PENDING', attempts: 0, reason: null });
  expect(await auditedBy(world, call)).toMatchObject([
    { action: 'WEBHOOK_RERUN', resource: id, before: { status: 'PARKED' }, reason },
  ]);
  await world.runInbox();
  // It says nothing; after so many turns in vain it is parked again, as every other would be.
  expect(await getNotice(world.app, market.call, id)).toMatchObject({
    status: 'PENDING',
    attempts: 1,
    reason: 'neither contract nor order is known',
  });
});

it('is applied when it fits by then, and not a second time', async () => {
  const deal = await dealIn(world, market, 'IN_PROGRESS');
  const notice = await noticeOf(world, market, deal, 'escrow.funded');
  await storeEvent(world.app, {
    provider: 'escrow-provider',
    eventId: notice.event_id,
    type: notice.type,
    body: JSON.stringify(notice),
    requestId: randomUUID(),
  });
  await world.rows(`update inbox set status = 'PARKED' where provider_event_id = $1`, [
    notice.event_id,
  ]);
  const [{ id } = { id: '' as NoticeId }] = await world.rows<{ id: NoticeId }>(
    'select id from inbox where provider_event_id = $1',
    [notice.event_id],
  );
  // Nobody's yet: the marketplace does not see it, whoever stands outside does.
  await expect(
    rerunNotice(world.app, market.call, id, { reason, auditedIn: '1' }),
  ).rejects.toSatisfy(isRefusal('NOTICE_NOT_FOUND'));
  const body = { reason };
  const path = `/inbox/${id}/rerun`;
  const sent = await world.send('POST', path, { key: world.masterKey, body });
  expect(sent.status, sent.text).toBe(200);
  await world.runInbox();
  expect(await getNotice(world.app, market.call, id)).toMatchObject({
    status: 'SUPERSEDED',
    resourceId: deal.id,
  });
  const again = await market.send('POST', path, { body });
  expect(again.json.error).toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'SUPERSEDED' },
  });
});
