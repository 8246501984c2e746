import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openEscrowWorld } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { aNotification } from '../../testing/scenarios/console-scenarios.ts';
import { useOpened } from '../../testing/use-world.ts';
import { storeEvent } from './inbox.ts';
import { getNotification, listNotifications } from './read-notifications.ts';

const world = useOpened(openEscrowWorld);

it('shows a notification to the byte to its marketplace, and not to the master key', async () => {
  const market = await world.market();
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

it('lists notifications newest first, by state, provider and resource', async () => {
  const market = await world.market();
  const context = { world, market };
  const ids = [await aNotification(context), await aNotification(context)].reverse();
  const list = async (query: Parameters<typeof listNotifications>[2]) =>
    (await listNotifications(world.app, market.call, query)).items;
  const [newest] = await list({});
  for (const [query, found] of [
    [{}, ids],
    [{ status: 'PARKED', provider: 'escrow-provider' }, ids],
    [{ status: 'APPLIED' }, []],
    [{ provider: 'payment-provider' }, []],
    [{ resourceId: newest?.resourceId ?? '' }, ids.slice(0, 1)],
  ] as const)
    expect((await list(query)).map(({ id }) => id)).toEqual(found);
});

it('shows notifications without a marketplace to the master key alone', async () => {
  const market = await world.market();
  const eventId = randomUUID();
  const event = { provider: 'escrow-provider', eventId, type: 'escrow.funded' } as const;
  await storeEvent(world.app, { ...event, body: '{}', requestId: randomUUID() });
  const find = async (key: string) => {
    const { json } = await world.send('GET', '/inbox?limit=100', { key });
    return json.data.data.filter(
      (each: { providerEventId: string }) => each.providerEventId === eventId,
    ).length;
  };
  expect(await find(market.key)).toBe(0);
  expect(await find(world.masterKey)).toBe(1);
});
