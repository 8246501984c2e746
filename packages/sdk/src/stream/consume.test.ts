import { afterEach, describe, expect, it } from 'vitest';
import { type HoldfastEvent, memoryCursorStore } from '#index';
import { ClientFixture } from '../testing/client-fixture.ts';
import { at, frame, holdsOpen, RESET, sends } from '../testing/frames.ts';
import { data, type Responder, text } from '../testing/stand-in.ts';

const service = new ClientFixture();
afterEach(() => service.stop());
const against = (...responders: readonly Responder[]) => service.against(responders);

const cursors = () => service.seen.map(({ headers }) => headers['last-event-id']);

describe('a consumer', () => {
  it('saves the cursor after the handler has ended, and continues there', async () => {
    const holdfast = await against(holdsOpen(frame(1) + frame(2)), holdsOpen(frame(2) + frame(3)));
    const store = memoryCursorStore();
    const received: string[] = [];
    const run = async (most: number) => {
      const stop = new AbortController();
      await holdfast.events.consume(
        {
          'order.closed': async ({ payload }, { cursor }) => {
            await Promise.resolve();
            expect(await store.load()).not.toBe(cursor);
            received.push(payload.orderId);
            if (received.length === most) stop.abort();
          },
        },
        { store, from: at(0), signal: stop.signal },
      );
    };
    await run(1);
    expect([received, await store.load()]).toEqual([['ord_1'], at(1)]);
    await run(3);
    expect(received).toEqual(['ord_1', 'ord_2', 'ord_3']);
    expect(cursors()).toEqual([at(0), at(1)]);
  });

  it('keeps where it began: what happens before its first event is not missed', async () => {
    const holdfast = await against(
      data({ status: 'ok' }),
      holdsOpen(': quiet\n\n'),
      holdsOpen(frame(1)),
    );
    const store = memoryCursorStore();
    const first = new AbortController();
    const onConnect = () => first.abort();
    await holdfast.events.consume({}, { store, signal: first.signal, onConnect });
    expect(await store.load()).toBe('2026-03-01T12:00:00.000Z');
    const stop = new AbortController();
    await holdfast.events.consume({ other: () => stop.abort() }, { store, signal: stop.signal });
    expect(cursors().slice(1)).toEqual(['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z']);
  });

  it('gives a handler that failed the same event again, before the next', async () => {
    const holdfast = await against(holdsOpen(frame(1) + frame(2)));
    const store = memoryCursorStore();
    const stop = new AbortController();
    const log: unknown[] = [];
    await holdfast.events.consume(
      {
        other({ eventId }) {
          log.push(eventId);
          if (log.length === 1) throw new Error('not now');
          if (eventId === 'evt_2') stop.abort();
        },
      },
      {
        store,
        from: at(0),
        signal: stop.signal,
        onError: (error, { eventId }, attempt) =>
          void log.push([(error as Error).message, eventId, attempt]),
      },
    );
    expect(log).toEqual(['evt_1', ['not now', 'evt_1', 1], 'evt_1', 'evt_2']);
    expect(await store.load()).toBe(at(2));
  });

  it('tries an event five times and stops with the error by default', async () => {
    const holdfast = await against(holdsOpen(frame(1) + frame(2)));
    const store = memoryCursorStore();
    let calls = 0;
    const consuming = holdfast.events.consume(
      {
        other() {
          calls += 1;
          throw new Error('poison');
        },
      },
      { store, from: at(0) },
    );
    await expect(consuming).rejects.toThrow('poison');
    expect([calls, await store.load()]).toEqual([5, at(0)]);
  });

  it('saves again when the store failed, and does not handle again', async () => {
    const holdfast = await against(holdsOpen(frame(1)));
    const stop = new AbortController();
    const log: string[] = [];
    await holdfast.events.consume(async ({ eventId }) => void log.push(eventId), {
      store: {
        load: () => at(0),
        save(cursor) {
          log.push(cursor);
          if (log.length < 4) throw new Error('the disk is full');
          stop.abort();
        },
      },
      signal: stop.signal,
    });
    expect(log).toEqual(['evt_1', at(1), at(1), at(1)]);
  });

  it('waits for a service that is not there yet', async () => {
    const holdfast = await against(text(502, 'starting'), text(502, 'starting'), (seen, response) =>
      (seen.url.endsWith('/health') ? data({ status: 'ok' }) : holdsOpen(frame(1)))(seen, response),
    );
    const stop = new AbortController();
    const take = async () => stop.abort();
    await holdfast.with({ maxRetries: 0 }).events.consume(take, { signal: stop.signal });
    expect(service.seen.map(({ url }) => url)).toEqual([
      '/api/v1/health',
      '/api/v1/health',
      '/api/v1/health',
      '/api/v1/events',
    ]);
  });

  it('skips an event, or stops, when onError says so', async () => {
    const holdfast = await against(holdsOpen(frame(1) + frame(2)));
    const store = memoryCursorStore();
    const consuming = holdfast.events.consume(
      {
        other: () => {
          throw new Error('poison');
        },
      },
      {
        store,
        from: at(0),
        onError: (_, one) => (one.eventId === 'evt_1' ? 'skip' : 'stop'),
      },
    );
    await expect(consuming).rejects.toThrow('poison');
    expect(await store.load()).toBe(at(1));
  });

  it('deals once with an event that comes twice', async () => {
    const holdfast = await against(sends(frame(1) + frame(1)), holdsOpen(frame(1) + frame(2)));
    const stop = new AbortController();
    const received: HoldfastEvent[] = [];
    await holdfast.events.consume(
      {
        other(one) {
          received.push(one);
          if (received.length === 2) stop.abort();
        },
      },
      { from: at(0), signal: stop.signal },
    );
    expect(received.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2']);
  });

  it('saves where it continues after a gap', async () => {
    const holdfast = await against(holdsOpen(RESET));
    const saved: string[] = [];
    const stop = new AbortController();
    await holdfast.events.consume(
      {},
      {
        store: {
          load: () => at(1),
          save(cursor) {
            saved.push(cursor);
            stop.abort();
          },
        },
        signal: stop.signal,
        onReset: () => Promise.resolve(),
      },
    );
    expect(saved).toEqual([at(5)]);
  });
});
