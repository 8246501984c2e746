import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openEscrowWorld } from '../../testing/escrows.ts';
import { aNotification } from '../../testing/scenarios/console-scenarios.ts';
import { useOpened } from '../../testing/use-world.ts';
import { listNotifications } from './list-notifications.ts';
import { storeEvent } from './provider-event.ts';

const world = useOpened(openEscrowWorld);

it('lists its own notifications, newest first, by state, provider and resource', async () => {
  const [market, otherMarket] = [await world.market(), await world.market()];
  const ids = [
    await aNotification({ world, market }),
    await aNotification({ world, market }),
  ].reverse();
  await aNotification({ world, market: otherMarket });
  const list = async (query: Parameters<typeof listNotifications>[2]) =>
    (await listNotifications(world.app, market.call, query)).items.map(({ id }) => id);
  expect(await list({})).toEqual(ids);
  expect(await list({ status: 'PARKED', provider: 'escrow-provider' })).toEqual(ids);
  expect(await list({ status: 'APPLIED' })).toEqual([]);
  expect(await list({ provider: 'payment-provider' })).toEqual([]);
  const first = await listNotifications(world.app, market.call, { limit: '1' });
  expect(await list({ cursor: first.nextCursor ?? '' })).toEqual(ids.slice(1));
  const about = first.items[0]?.resourceId ?? '';
  expect(await list({ resourceId: about })).toEqual(ids.slice(0, 1));
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
