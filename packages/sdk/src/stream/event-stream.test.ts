import { afterEach, describe, expect, it } from 'vitest';
import type { Holdfast, StreamOptions } from '#index';
import { ClientFixture } from '../testing/client-fixture.ts';
import { at, breaks, dribbles, frame, holdsOpen, RESET, sends } from '../testing/frames.ts';
import { cut, data, type Responder, refusal, text } from '../testing/stand-in.ts';

const service = new ClientFixture();
afterEach(() => service.stop());
const against = (...responders: readonly Responder[]) => service.against(responders);

/** Reads until so many have come. */
async function take(
  holdfast: Holdfast,
  count: number,
  options: StreamOptions = { from: at(0) },
): Promise<string[]> {
  const ids: string[] = [];
  for await (const one of holdfast.events.stream(options)) {
    ids.push(one.eventId);
    if (ids.length === count) break;
  }
  return ids;
}

const cursors = () => service.seen.map(({ headers }) => headers['last-event-id']);

describe('the stream', () => {
  it('continues after the last event, whichever side ends the connection', async () => {
    const holdfast = await against(
      sends(frame(1) + frame(2)),
      cut,
      breaks(`${frame(3)}id: ${at(4)}\ndata: {"eventId":"evt_4`),
      text(502, '<html>'),
      refusal(503, 'SERVICE_UNAVAILABLE'),
      holdsOpen(frame(4) + frame(5)),
    );
    expect(await take(holdfast, 5)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']);
    expect(cursors()).toEqual([at(0), at(2), at(2), at(3), at(3), at(3)]);
  });

  it('is read though it comes in pieces, cut at every byte', async () => {
    const holdfast = await against(dribbles(frame(1) + frame(2)));
    expect(await take(holdfast, 2)).toEqual(['evt_1', 'evt_2']);
  });

  it('loses nothing, and repeats nothing, though the connection breaks at any byte', async () => {
    const bytes = Buffer.from(frame(2));
    for (let length = 0; length < bytes.length; length += 9) {
      const holdfast = await against(
        breaks(frame(1) + bytes.subarray(0, length).toString()),
        holdsOpen(frame(2)),
      );
      expect(await take(holdfast, 2), `broke after ${length}`).toEqual(['evt_1', 'evt_2']);
      expect(cursors()).toEqual([at(0), at(1)]);
      await service.stop();
    }
  });

  it('requests only the chosen events', async () => {
    const holdfast = await against(holdsOpen(frame(1)));
    await take(holdfast, 1, {
      from: new Date(0),
      types: ['order.closed'],
      resources: ['Order'],
      marketplaceId: 'mkt_1',
    });
    expect(service.seen[0]?.url).toBe(
      '/api/v1/events?types=order.closed&resources=Order&marketplaceId=mkt_1',
    );
    expect(cursors()).toEqual(['1970-01-01T00:00:00.000Z']);
  });

  it("starts with the service's now, also when the first connection is lost", async () => {
    const holdfast = await against(data({ status: 'ok' }), cut, holdsOpen(frame(1)));
    await take(holdfast, 1, {});
    expect(cursors().slice(1)).toEqual(['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z']);
  });

  it('skips pings, and waits before it reconnects for as long as the service says', async () => {
    const ping = 'event: ping\ndata: {}\n\n';
    const holdfast = await against(sends(`${ping}${frame(1)}retry: 400\n\n`), holdsOpen(frame(2)));
    const startedAt = performance.now();
    const pauses: number[] = [];
    const onDisconnect = (_: unknown, pause: number) => void pauses.push(pause);
    expect(await take(holdfast, 2, { from: at(0), onDisconnect })).toHaveLength(2);
    expect(pauses).toEqual([400]);
    expect(performance.now() - startedAt).toBeGreaterThan(395);
  });

  it.each([
    ['UNAUTHORIZED', 401],
    ['VALIDATION_ERROR', 400],
    ['MARKETPLACE_NOT_FOUND', 404],
  ])('ends with what another attempt cannot mend: %s', async (code, status) => {
    const holdfast = await against(refusal(status, code, {}));
    await expect(take(holdfast, 1)).rejects.toMatchObject({ code });
    expect(service.seen).toHaveLength(1);
  });

  it('ends with its signal, also while it waits', async () => {
    const holdfast = await against(sends('retry: 60000\n\n'));
    const signal = AbortSignal.timeout(100);
    expect(await take(holdfast, 1, { from: at(0), signal })).toEqual([]);
    await service.stop();
    const quiet = await against(holdsOpen(': nothing\n\n'));
    expect(await take(quiet, 1, { from: at(0), signal: AbortSignal.timeout(100) })).toEqual([]);
  });

  it('does not pass over a gap in silence', async () => {
    const holdfast = await against(holdsOpen(RESET + frame(6)));
    await expect(take(holdfast, 1)).rejects.toMatchObject({
      code: 'CURSOR_EXPIRED',
      details: { retainedSince: at(5) },
    });
  });

  it('continues after a gap once onReset has ended', async () => {
    const resets: unknown[] = [];
    const holdfast = await against(breaks(RESET), holdsOpen(frame(6)));
    const ids = await take(holdfast, 1, {
      from: at(1),
      onReset: (reset) => void resets.push(reset),
    });
    expect(ids).toEqual(['evt_6']);
    expect(resets).toEqual([{ retainedSince: at(5), cursor: at(1) }]);
    expect(cursors()).toEqual([at(1), at(5)]);
  });

  it('from the beginning starts with the oldest retained event', async () => {
    const holdfast = await against(holdsOpen(RESET + frame(6)));
    expect(await take(holdfast, 1, { from: 'beginning' })).toEqual(['evt_6']);
  });
});
