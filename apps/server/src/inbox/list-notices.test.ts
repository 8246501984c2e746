import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aNotice } from '../testing/console-scenarios.ts';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
import { listNotices } from './list-notices.ts';
import { storeEvent } from './provider-event.ts';

let world: EscrowWorld;
beforeAll(async () => {
  world = await openEscrowWorld();
});
afterAll(() => world.close());

it('lists its own notices, newest first, by state, provider and what they are about', async () => {
  const [market, stranger] = [await world.market(), await world.market()];
  const ids = [await aNotice({ world, market }), await aNotice({ world, market })].reverse();
  await aNotice({ world, market: stranger });
  const list = async (query: Parameters<typeof listNotices>[2]) =>
    (await listNotices(world.app, market.call, query)).items.map(({ id }) => id);
  expect(await list({})).toEqual(ids);
  expect(await list({ status: 'PARKED', provider: 'escrow-provider' })).toEqual(ids);
  expect(await list({ status: 'APPLIED' })).toEqual([]);
  expect(await list({ provider: 'payment-provider' })).toEqual([]);
  const first = await listNotices(world.app, market.call, { limit: '1' });
  expect(await list({ cursor: first.nextCursor ?? '' })).toEqual(ids.slice(1));
  const about = first.items[0]?.resourceId ?? '';
  expect(await list({ resourceId: about })).toEqual(ids.slice(0, 1));
});

it("shows what is nobody's to the master key alone", async () => {
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
