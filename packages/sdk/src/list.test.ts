import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { Holdfast } from '#index';
import { page, refusal, type StandIn, startStandIn } from './testing/stand-in.ts';

let service: StandIn;
afterEach(() => service.stop());

const urls = () => service.seen.map(({ url }) => url);

async function threePages(): Promise<Holdfast> {
  service = await startStandIn(
    page([{ id: 1 }, { id: 2 }], 'ord_2'),
    page([{ id: 3 }, { id: 4 }], 'ord_4'),
    page([{ id: 5 }]),
  );
  return new Holdfast({ apiKey: 'key', baseUrl: service.url });
}

describe('a list', () => {
  it('sends no request until it is read', async () => {
    const holdfast = await threePages();
    holdfast.orders.list({ status: 'CLOSED' });
    expect(urls()).toEqual([]);
  });

  it('goes through all pages with one filter', async () => {
    const holdfast = await threePages();
    const ids: unknown[] = [];
    for await (const { id } of holdfast.orders.list({ status: 'CLOSED', limit: 2 })) ids.push(id);
    expect(ids).toEqual([1, 2, 3, 4, 5]);
    expect(urls()).toEqual([
      '/api/v1/orders?status=CLOSED&limit=2',
      '/api/v1/orders?status=CLOSED&limit=2&cursor=ord_2',
      '/api/v1/orders?status=CLOSED&limit=2&cursor=ord_4',
    ]);
  });

  it('requests no page that is not read', async () => {
    const holdfast = await threePages();
    for await (const { id } of holdfast.orders.list()) if (`${id}` === '2') break;
    expect(urls()).toHaveLength(1);
    expect(await holdfast.orders.list().toArray(0)).toEqual([]);
    expect(urls()).toHaveLength(1);
  });

  it('has its first page, and any page by its cursor', async () => {
    const holdfast = await threePages();
    const first = await holdfast.orders.list().page();
    expect(first).toEqual({ items: [{ id: 1 }, { id: 2 }], hasMore: true, nextCursor: 'ord_2' });
    const next = await holdfast.orders.list({ cursor: first.nextCursor }).page();
    expect(next.items).toEqual([{ id: 3 }, { id: 4 }]);
    expect(urls()[1]).toBe('/api/v1/orders?cursor=ord_2');
  });

  it('is its first page when awaited, and says so when printed', async () => {
    const holdfast = await threePages();
    const list = holdfast.orders.list({ limit: 2 });
    expect(inspect(list)).toBe('List (not fetched: use await, for await, or toArray())');
    expect(urls()).toEqual([]);
    const { items, hasMore } = await list;
    expect([items, hasMore]).toEqual([[{ id: 1 }, { id: 2 }], true]);
    expect(urls()).toEqual(['/api/v1/orders?limit=2']);
  });

  it('starts at the given cursor and continues from there', async () => {
    const holdfast = await threePages();
    expect(await holdfast.orders.list({ cursor: 'ord_0' }).toArray(3)).toHaveLength(3);
    expect(urls()).toEqual(['/api/v1/orders?cursor=ord_0', '/api/v1/orders?cursor=ord_2']);
  });

  it('of the log pages by after, and stops when there is no more', async () => {
    service = await startStandIn(page([{ eventId: 'evt_1' }], 'x'), (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"data":{"success":true,"data":[],"hasMore":false,"nextCursor":"y"},"meta":{}}'),
    );
    const holdfast = new Holdfast({ apiKey: 'key', baseUrl: service.url });
    expect(await holdfast.events.log().toArray()).toHaveLength(1);
    expect(urls()[1]).toBe('/api/v1/events/log?after=x');
  });

  it('that fails in the middle throws there', async () => {
    service = await startStandIn(page([{ id: 1 }], 'ord_1'), refusal(401, 'UNAUTHORIZED'));
    const holdfast = new Holdfast({ apiKey: 'key', baseUrl: service.url });
    const ids: unknown[] = [];
    const reading = (async () => {
      for await (const { id } of holdfast.orders.list()) ids.push(id);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(ids).toEqual([1]);
  });
});
