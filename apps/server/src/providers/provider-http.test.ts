import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock, systemClock } from '@holdfast/kernel/clock';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../platform/process/log.ts';
import { ProviderHttp } from './provider-http.ts';

const log = createLog('silent', 'test');
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function facing(
  listener: RequestListener,
  more: { perMinute?: number; clock?: typeof systemClock } = {},
) {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return new ProviderHttp({
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
  it('returns status, JSON, and how long to wait', async () => {
    const http = await facing((request, response) => {
      response
        .writeHead(429, { 'retry-after': '7' })
        .end(JSON.stringify({ key: request.headers['x-api-key'] }));
    });
    expect(await http.send(get)).toEqual({
      status: 429,
      json: { key: 'k' },
      retryAfterMs: 7000,
    });
  });

  it.each<[string, RequestListener, RegExp]>([
    ['no reply in time', () => undefined, /in time/],
    ['a cut connection', (_, response) => response.destroy(), /./],
    ['a reply that is no JSON', (_, response) => void response.end('{"a":'), /not JSON/],
    [
      'a reply that is too large',
      (_, response) => void response.end('"'.padEnd(2_000_000, 'x')),
      /too large/,
    ],
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      /./,
    ],
  ])('reports %s as sent without a usable reply', async (_, listener, reason) => {
    const http = await facing(listener);
    expect(await http.send(get)).toEqual({
      notSent: false,
      reason: expect.stringMatching(reason),
    });
  });

  it('with a closed port is reported as not sent', async () => {
    const http = await facing(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    expect(await http.send(get)).toMatchObject({ notSent: true });
  });

  it('stops after eight failures in a row, and tries again after a while', async () => {
    const clock = manualClock(1_000_000);
    let calls = 0;
    const http = await facing(
      (_, response) => {
        calls += 1;
        response.writeHead(calls <= 8 ? 500 : 200).end('{}');
      },
      { clock },
    );
    for (let times = 0; times < 8; times += 1) await http.send(get);
    expect(await http.send(get)).toMatchObject({ notSent: true });
    expect(calls).toBe(8);
    clock.advance(5_001);
    expect(await http.send(get)).toMatchObject({ status: 200 });
  });

  it('uses a token of the rate limit only for a request that is sent', async () => {
    const clock = manualClock(1_000_000);
    const http = await facing((_, response) => void response.end('{}'), {
      perMinute: 10,
      clock,
    });
    const flood = await Promise.all(
      Array.from({ length: 30 }, () => Promise.race([http.send(get), late()])),
    );
    expect(
      flood.filter((each) => typeof each === 'object' && 'notSent' in each).length,
    ).toBeGreaterThan(20);
    clock.advance(13_000);
    expect(await http.send(get)).toMatchObject({ status: 200 });
  });

  it('stays within the rate of the provider', async () => {
    const http = await facing((_, response) => void response.end('{}'), { perMinute: 600 });
    const startedAt = performance.now();
    // Sixty at once are a burst; ten more wait a tenth of a second each.
    await Promise.all(Array.from({ length: 70 }, () => http.send({ ...get, timeoutMs: 5000 })));
    expect(performance.now() - startedAt).toBeGreaterThan(700);
  });
});

/** A request that waits for its token: long enough to distinguish it from one that was refused. */
function late(): Promise<'waits'> {
  return new Promise((resolve) => setTimeout(resolve, 200, 'waits'));
}
