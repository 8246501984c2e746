//! The api behind nginx, as deploy/ configures it: streams pass at once, and nothing is lost.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http2 from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type LocalSet,
  type ServerProcess,
  startLocalSet,
} from '../../../apps/cli/src/local-set.ts';
import { startWatch } from '../../../apps/cli/src/testing/machine-time.ts';
import { findNginx } from '../../../tools/installed.ts';
import { type Nginx, SERVER_NAME, startNginx } from '../../harness/nginx.ts';
import { bodyOf, type NginxTarget, send } from '../../harness/nginx-client.ts';
import { createMarketplace } from '../../harness/people.ts';
import { within } from '../../harness/wait.ts';
import { type Listening, listen, openReader, type StreamReader } from './client.ts';

const program = findNginx();
/** Contributors without nginx may skip these tests; CI may not. */
const isLeftOut = program === undefined && process.env['CI'] === undefined;
if (isLeftOut) process.stderr.write('nginx is not installed: tests/e2e/nginx is skipped\n');

const LATE_MS_MAX = 200;
const SILENCE_MS = 36_000;
/** Its timeout is between the ping interval and the silence, and it allows few connections. */
const STRICT = {
  'proxy_read_timeout 75s': 'proxy_read_timeout 31s',
  'limit_conn holdfast_addresses 500': 'limit_conn holdfast_addresses 2',
};
/** The api's own, or nginx's on its own pages; never both, which Node would join. */
const FOR_BROWSERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
};

describe.skipIf(isLeftOut)('the api behind nginx', () => {
  let set: LocalSet;
  let api: ServerProcess;
  let nginx: Nginx;
  let strict: Nginx;
  let quiet: { readonly listening: Listening; readonly sinceMs: number };
  let key: string;
  let userId: string;

  beforeAll(async () => {
    if (program === undefined) throw new Error('nginx is not installed, and CI needs it');
    const env = { HOLDFAST_TRUSTED_PROXIES: '1', HOLDFAST_RATE_LIMIT: '100000' };
    set = await startLocalSet({ port: 0, sandbox: false, quiet: true, env });
    api = set.apis[0] as ServerProcess;
    nginx = await startNginx(program, api.url);
    strict = await startNginx(program, api.url, { changes: STRICT });
    key = set.ready.apiKey;
    quiet = await openQuiet();
    const startedAt = new Date().toISOString();
    const user = await post(nginx, '/users', { externalUserId: 'ada' });
    userId = user.data.data['id'] as string;
    await until(async () => (await logAfter(startedAt)).length > 0);
  }, 60_000);

  afterAll(async () => {
    quiet?.listening.leave();
    await nginx?.stop();
    await strict?.stop();
    await set?.stop();
  });

  const openQuiet = async () => ({
    listening: await listen(strict, bearer((await newKey()).key)),
    sinceMs: performance.now(),
  });

  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

  async function post(target: NginxTarget, path: string, body: unknown, headers = {}) {
    const sending = { method: 'POST', headers: { ...bearer(key), ...headers }, body };
    const response = await send(target, path, sending);
    const json = (await bodyOf(response)) as { data: { data: Record<string, unknown> } };
    return { status: response.statusCode, ...json };
  }

  const newKey = () => createMarketplace(set.ready, 'nginx', { scopes: ['read'] });

  /** Repeats until it succeeds; the Idempotency-Key makes that safe. */
  async function credit(target: NginxTarget = nginx): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/users/${userId}/balance/credit`;
    for (;;) {
      const response = await post(target, path, { amount: '1.00' }, headers).catch(() => undefined);
      if (response?.status === 200) return;
      await sleep(50);
    }
  }

  async function logAfter(cursor: string): Promise<string[]> {
    const path = `/events/log?limit=100&after=${cursor}`;
    const page = (await bodyOf(await send(nginx, path, { headers: bearer(key) }))) as {
      data: { data: { occurredAt: string }[]; hasMore: boolean; nextCursor: string };
    };
    const times = page.data.data.map(({ occurredAt }) => occurredAt);
    return page.data.hasMore ? [...times, ...(await logAfter(page.data.nextCursor))] : times;
  }

  const until = (isSo: () => boolean | Promise<boolean>) => within(10_000, isSo, 25);

  /**
   * Reads the stream from now on during an incident under load; no event may be lost or doubled.
   */
  async function readThrough(
    happening: (reader: StreamReader) => Promise<void>,
  ): Promise<StreamReader> {
    const cursor = new Date().toISOString();
    const reader = await openReader(nginx, key, cursor);
    let [written, isOver] = [0, false];
    const writing = (async () => {
      for (; !isOver; written += 1) await credit();
    })();
    await until(() => written >= 5);
    await happening(reader);
    const soFar = written;
    await until(() => written >= soFar + 5);
    isOver = true;
    await writing;
    let log: string[] = [];
    await until(async () => {
      log = await logAfter(cursor);
      return log.length >= written && reader.ids.length >= written;
    });
    await reader.leave();
    expect(log).toHaveLength(written);
    expect(reader.ids).toEqual(log);
    return reader;
  }

  it('passes the head of a stream on at once and unchanged', async () => {
    const requestId = randomUUID();
    const headers = { ...bearer(key), 'x-request-id': requestId, 'accept-encoding': 'gzip' };
    const ran = await startWatch();
    const { response, leave } = await listen(nginx, headers);
    expect(ran()).toBeLessThan(1000);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-request-id': requestId,
      'x-ratelimit-limit': '100000',
    });
    expect(response.headers).not.toHaveProperty('content-encoding');
    leave();
  });

  it(`passes every message on within ${LATE_MS_MAX} ms`, async () => {
    const headers = { ...bearer(key), 'accept-encoding': 'gzip' };
    const [past, through] = [await listen({ url: api.url }, headers), await listen(nginx, headers)];
    for (let count = 0; count < 20; count += 1) {
      await credit();
      await sleep(20);
    }
    await until(() => Math.min(past.received.length, through.received.length) >= 20);
    expect(through.received.map(({ id }) => id)).toEqual(past.received.map(({ id }) => id));
    const late = through.received.map(({ atMs }, at) => atMs - (past.received[at]?.atMs ?? 0));
    expect(Math.max(...late)).toBeLessThan(LATE_MS_MAX);
    past.leave();
    through.leave();
  });

  it('supports HTTP/2', async () => {
    const { port, certificate: ca } = nginx;
    const session = http2.connect(`https://127.0.0.1:${port}`, { ca, servername: SERVER_NAME });
    const stream = session.request({ ':path': '/api/v1/events', ...bearer(key) });
    stream.setEncoding('utf8');
    const response = once(stream, 'response');
    let text = '';
    stream.on('data', (piece: string) => {
      text += piece;
    });
    // Over HTTP/2 nginx holds the head back until data follows; the first line is enough.
    const [head] = (await response) as [Record<string, unknown>];
    expect(head[':status']).toBe(200);
    await credit();
    await until(() => text.includes('data: ') && text.endsWith('\n\n'));
    expect(text).toMatch(/^retry: \d+\n\n(id: .*\nevent: [a-z.]+\ndata: \{.*\}\n\n)+$/);
    session.destroy();
  });

  it("passes the api's refusals on, and returns the same error format in its own", async () => {
    const wrong = await send(nginx, '/events?types=nonsense', { headers: bearer(key) });
    expect(wrong.statusCode).toBe(400);
    expect(await bodyOf(wrong)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(wrong.headers).toMatchObject(FOR_BROWSERS);
    const large = await post(nginx, '/users', { externalUserId: 'x'.repeat(100_000) });
    expect(large).toMatchObject({
      status: 413,
      error: { code: 'PAYLOAD_TOO_LARGE', details: { limitBytes: 65_536 } },
    });
    const webhook = async (bytes: number) => {
      const sending = { method: 'POST', body: { text: 'x'.repeat(bytes) } };
      const response = await send(nginx, '/webhooks/payment-provider', sending);
      return { status: response.statusCode, ...((await bodyOf(response)) as object) };
    };
    expect(await webhook(250_000)).toMatchObject({ status: 401 });
    expect(await webhook(300_000)).toMatchObject({
      status: 413,
      error: { code: 'PAYLOAD_TOO_LARGE', details: { limitBytes: 262_144 } },
    });
    // It allows two connections per address, and the silent one may still be open.
    const two = [await listen(strict, bearer(key)), await listen(strict, bearer(key))];
    const third = await send(strict, '/events', { headers: bearer(key) });
    expect(third.statusCode).toBe(429);
    expect(await bodyOf(third)).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    expect(third.headers).toMatchObject(FOR_BROWSERS);
    for (const { leave } of two) leave();
  });

  it("counts requests by the caller's real address, even if a header names another", async () => {
    const remaining = async (from: string, headers = {}) => {
      const response = await send(nginx, '/health', { from, headers });
      response.resume();
      return Number(response.headers['x-ratelimit-remaining']);
    };
    const [ada, bo] = [await remaining('127.0.0.2'), await remaining('127.0.0.3')];
    expect(await remaining('127.0.0.2')).toBe(ada - 1);
    expect(await remaining('127.0.0.3')).toBe(bo - 1);
    const forged = { 'x-forwarded-for': '127.0.0.3' };
    expect(await remaining('127.0.0.2', forged)).toBe(ada - 2);
    expect(await remaining('127.0.0.3')).toBe(bo - 2);
  });

  it('closes the connection to the api when a reader has left', async () => {
    const headers = bearer((await newKey()).key);
    const open = await Promise.all(Array.from({ length: 10 }, () => listen(nginx, headers)));
    const status = async () => {
      const { response, leave } = await listen(nginx, headers);
      leave();
      return response.statusCode;
    };
    expect(await status()).toBe(429);
    for (const { leave } of open) leave();
    await until(async () => (await status()) === 200);
    expect(await status()).toBe(200);
  });

  it('loses nothing when nginx reloads', async () => {
    const { connections } = await readThrough(async (reader) => {
      nginx.reload();
      // The old worker may finish for a second, then nginx ends it.
      await until(() => reader.connections === 2);
    });
    expect(connections).toBe(2);
  });

  it('keeps a stream open through a silence longer than its own timeout', async () => {
    // A test that killed the api has ended this stream.
    if (!quiet.listening.isOpen) quiet = await openQuiet();
    await sleep(Math.max(0, quiet.sinceMs + SILENCE_MS - performance.now()));
    expect(quiet.listening.isOpen).toBe(true);
    expect(new Set(quiet.listening.received.map(({ name }) => name))).toEqual(new Set(['ping']));
  }, 60_000);

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'loses nothing when the api restarts after %s',
    async (signal) => {
      const { connections } = await readThrough(async () => {
        await api.kill(signal);
        api = await set.startApi(Number(new URL(api.url).port));
      });
      expect(connections).toBeGreaterThan(1);
    },
  );
});
