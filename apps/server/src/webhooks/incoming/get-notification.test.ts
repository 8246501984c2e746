import { expect, it } from 'vitest';
import { openEscrowWorld } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { aNotification } from '../../testing/scenarios/console-scenarios.ts';
import { useOpened } from '../../testing/use-world.ts';
import { getNotification } from './get-notification.ts';

const world = useOpened(openEscrowWorld);

it('shows a notification to the byte, to its marketplace alone', async () => {
  const [market, otherMarket] = [await world.market(), await world.market()];
  const id = await aNotification({ world, market });
  const notification = await getNotification(world.app, market.call, id);
  expect(notification).toMatchObject({
    id,
    status: 'PARKED',
    reason: 'the network does not show it',
  });
  expect(JSON.parse(notification.body)).toEqual({
    type: 'escrow.funded',
    event_id: notification.eventId,
    data: {},
  });
  await expect(getNotification(world.app, otherMarket.call, id)).rejects.toSatisfy(
    isRefusal('NOTIFICATION_NOT_FOUND'),
  );
  const responses = [
    await world.send('GET', `/inbox/${id}`, { key: world.masterKey }),
    await world.send('POST', `/inbox/${id}/rerun`, {
      key: world.masterKey,
      body: { reason: 'why' },
    }),
  ];
  expect(responses.map(({ json }) => json.error.code)).toEqual(
    Array(2).fill('NOTIFICATION_NOT_FOUND'),
  );
});

it('masks personal data in the body for operators, also after a rerun', async () => {
  const market = await world.market();
  const id = await aNotification({ world, market });
  const body = '{"type":"payout.created","data":{"airtmUserEmail":"ada@example.com"}}';
  await world.rows('update inbox set body = $2 where id = $1', [id, body]);
  const support = await desk(world, { marketplaceId: market.id, role: 'support' });
  const seen = [
    await support.send('GET', `/inbox/${id}`),
    await support.send('POST', `/inbox/${id}/rerun`, { body: { reason: 'why' } }),
  ];
  const masked = body.replace('ada@example.com', 'a•••@e•••.com');
  expect(seen.map(({ json }) => json.data.data.body)).toEqual([masked, masked]);
  expect((await market.send('GET', `/inbox/${id}`)).json.data.data.body).toBe(body);
});
