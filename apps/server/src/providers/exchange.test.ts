import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock, systemClock } from '@holdfast/kernel/clock';
import { afterEach, describe, expect, it } from 'vitest';
import { makeLog } from '../platform/log.ts';
import { Exchange } from './exchange.ts';

const log = makeLog('silent', 'test');
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function facing(
  answer: RequestListener,
  more: { perMinute?: number; clock?: typeof systemClock } = {},
) {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return new Exchange({
    name: 'test',
    baseUrl: `http://127.0.0.1:${port}`,
    headers: { 'x-api-key': 'k' },
    perMinute: more.perMinute ?? null,
    clock: more.clock ?? systemClock,
    log,
  });
}

const get = { method: 'GET', path: '/', timeoutMs: 300 } as const;

describe('an exchange', () => {
  it('says what came: status, JSON, and how long to wait', async () => {
    const exchange = await facing((request, response) => {
      response
        .writeHead(429, { 'retry-after': '7' })
        .end(JSON.stringify({ key: request.headers['x-api-key'] }));
    });
    expect(await exchange.send(get)).toEqual({
      status: 429,
      json: { key: 'k' },
      retryAfterMs: 7000,
    });
  });

  it.each<[string, RequestListener, RegExp]>([
    ['nothing in time', () => undefined, /in time/],
    ['a cut connection', (_, response) => response.destroy(), /./],
    ['something unreadable', (_, response) => void response.end('{"a":'), /not JSON/],
    ['too much', (_, response) => void response.end('"'.padEnd(2_000_000, 'x')), /too large/],
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      /./,
    ],
  ])('that brings %s is silence after sending', async (_, answer, reason) => {
    const exchange = await facing(answer);
    expect(await exchange.send(get)).toEqual({
      notSent: false,
      reason: expect.stringMatching(reason),
    });
  });

  it('with nobody there was never sent', async () => {
    const exchange = await facing(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    expect(await exchange.send(get)).toMatchObject({ notSent: true });
  });

  it('breaks off after eight failures in a row, and tries again after a while', async () => {
    const clock = manualClock(1_000_000);
    let calls = 0;
    const exchange = await facing(
      (_, response) => {
        calls += 1;
        response.writeHead(calls <= 8 ? 500 : 200).end('{}');
      },
      { clock },
    );
    for (let times = 0; times < 8; times += 1) await exchange.send(get);
    expect(await exchange.send(get)).toMatchObject({ notSent: true });
    expect(calls).toBe(8);
    clock.advance(5_001);
    expect(await exchange.send(get)).toMatchObject({ status: 200 });
  });

  it('gives a token only to what may go: what is refused does not lock the others out', async () => {
    const clock = manualClock(1_000_000);
    const exchange = await facing((_, response) => void response.end('{}'), {
      perMinute: 10,
      clock,
    });
    const flood = await Promise.all(
      Array.from({ length: 30 }, () => Promise.race([exchange.send(get), late()])),
    );
    expect(
      flood.filter((each) => typeof each === 'object' && 'notSent' in each).length,
    ).toBeGreaterThan(20);
    clock.advance(13_000);
    expect(await exchange.send(get)).toMatchObject({ status: 200 });
  });

  it('keeps to the rate of the provider', async () => {
    const exchange = await facing((_, response) => void response.end('{}'), { perMinute: 600 });
    const begun = performance.now();
    // Sixty at once are a burst; ten more wait a tenth of a second each.
    await Promise.all(Array.from({ length: 70 }, () => exchange.send({ ...get, timeoutMs: 5000 })));
    expect(performance.now() - begun).toBeGreaterThan(700);
  });
});

/** A request that waits for its turn: long enough to tell it from one that was refused. */
function late(): Promise<'waits'> {
  return new Promise((resolve) => setTimeout(resolve, 200, 'waits'));
}
