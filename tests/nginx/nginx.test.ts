//! The api behind nginx, as deploy/ configures it: streams pass at once, and nothing is lost.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http2 from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalSet, type ServerProcess, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { startWatch } from '../../apps/cli/src/testing/machine-time.ts';
import { findNginx } from '../../tools/installed.ts';
import { makeMarketplace } from '../harness/people.ts';
import { within } from '../harness/wait.ts';
import {
  bodyOf,
  type Door,
  type Follower,
  follow,
  type Listening,
  listen,
  send,
} from './client.ts';
import { type Nginx, SERVER_NAME, startNginx } from './nginx.ts';

const program = findNginx();
/** What a contributor without nginx can leave to CI, CI can't. */
const isLeftOut = program === undefined && process.env['CI'] === undefined;
if (isLeftOut) process.stderr.write('nginx is not installed: tests/nginx is skipped\n');

const LATE_MS_MAX = 200;
const SILENCE_MS = 36_000;
/** Waits for less than the silence and more than the time between two pings, and takes few. */
const STRICT = {
  'proxy_read_timeout 75s': 'proxy_read_timeout 31s',
  'limit_conn holdfast_addresses 500': 'limit_conn holdfast_addresses 2',
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
    strict = await startNginx(program, api.url, STRICT);
    key = set.ready.apiKey;
    quiet = await openQuiet();
    const begun = new Date().toISOString();
    const user = await post(nginx, '/users', { externalUserId: 'ada' });
    userId = user.data.data['id'] as string;
    await until(async () => (await logAfter(begun)).length > 0);
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

  async function post(door: Door, path: string, body: unknown, headers = {}) {
    const sending = { method: 'POST', headers: { ...bearer(key), ...headers }, body };
    const response = await send(door, path, sending);
    const json = (await bodyOf(response)) as { data: { data: Record<string, unknown> } };
    return { status: response.statusCode, ...json };
  }

  const newKey = () => makeMarketplace(set.ready, 'nginx', { scopes: ['read'] });

  /** Repeats until it is answered; the Idempotency-Key makes that safe. */
  async function credit(door: Door = nginx): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/users/${userId}/balance/credit`;
    for (;;) {
      const answer = await post(door, path, { amount: '1.00' }, headers).catch(() => undefined);
      if (answer?.status === 200) return;
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

  /** Follows from now on while something happens under load; nothing may be lost or doubled. */
  async function followThrough(
    happening: (follower: Follower) => Promise<void>,
  ): Promise<Follower> {
    const cursor = new Date().toISOString();
    const follower = await follow(nginx, key, cursor);
    let [written, isOver] = [0, false];
    const writing = (async () => {
      for (; !isOver; written += 1) await credit();
    })();
    await until(() => written >= 5);
    await happening(follower);
    const soFar = written;
    await until(() => written >= soFar + 5);
    isOver = true;
    await writing;
    let log: string[] = [];
    await until(async () => {
      log = await logAfter(cursor);
      return log.length >= written && follower.ids.length >= written;
    });
    await follower.leave();
    expect(log).toHaveLength(written);
    expect(follower.ids).toEqual(log);
    return follower;
  }

  it('hands on the head of a stream at once, as the api wrote it', async () => {
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

  it(`hands on every message within ${LATE_MS_MAX} ms`, async () => {
    const headers = { ...bearer(key), 'accept-encoding': 'gzip' };
    const [past, through] = [await listen({ url: api.url }, headers), await listen(nginx, headers)];
    for (let count = 0; count < 20; count += 1) {
      await credit();
      await sleep(20);
    }
    await until(() => Math.min(past.heard.length, through.heard.length) >= 20);
    expect(through.heard.map(({ id }) => id)).toEqual(past.heard.map(({ id }) => id));
    const late = through.heard.map(({ atMs }, at) => atMs - (past.heard[at]?.atMs ?? 0));
    expect(Math.max(...late)).toBeLessThan(LATE_MS_MAX);
    past.leave();
    through.leave();
  });

  it('speaks HTTP/2 to those who do', async () => {
    const { port, certificate: ca } = nginx;
    const session = http2.connect(`https://127.0.0.1:${port}`, { ca, servername: SERVER_NAME });
    const stream = session.request({ ':path': '/api/v1/events', ...bearer(key) });
    stream.setEncoding('utf8');
    const response = once(stream, 'response');
    let text = '';
    stream.on('data', (piece: string) => {
      text += piece;
    });
    // Over HTTP/2 nginx keeps the head back until something follows it: the first line does.
    const [head] = (await response) as [Record<string, unknown>];
    expect(head[':status']).toBe(200);
    await credit();
    await until(() => text.includes('data: ') && text.endsWith('\n\n'));
    expect(text).toMatch(/^retry: \d+\n\n(id: .*\nevent: [a-z.]+\ndata: \{.*\}\n\n)+$/);
    session.destroy();
  });

  it("hands on the api's refusals, and speaks like the api when it refuses by itself", async () => {
    const wrong = await send(nginx, '/events?types=nonsense', { headers: bearer(key) });
    expect(wrong.statusCode).toBe(400);
    expect(await bodyOf(wrong)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    const large = await post(nginx, '/users', { externalUserId: 'x'.repeat(100_000) });
    expect(large).toMatchObject({
      status: 413,
      error: { code: 'PAYLOAD_TOO_LARGE', details: { limitBytes: 65_536 } },
    });
    // It allows two from one address, and the silent one may still be there.
    const two = [await listen(strict, bearer(key)), await listen(strict, bearer(key))];
    const third = await send(strict, '/events', { headers: bearer(key) });
    expect(third.statusCode).toBe(429);
    expect(await bodyOf(third)).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    for (const { leave } of two) leave();
  });

  it("counts requests by the caller's own address, whatever the caller says", async () => {
    const remaining = async (from: string, headers = {}) => {
      const answer = await send(nginx, '/health', { from, headers });
      answer.resume();
      return Number(answer.headers['x-ratelimit-remaining']);
    };
    const [ada, bo] = [await remaining('127.0.0.2'), await remaining('127.0.0.3')];
    expect(await remaining('127.0.0.2')).toBe(ada - 1);
    expect(await remaining('127.0.0.3')).toBe(bo - 1);
    const forged = { 'x-forwarded-for': '127.0.0.3' };
    expect(await remaining('127.0.0.2', forged)).toBe(ada - 2);
    expect(await remaining('127.0.0.3')).toBe(bo - 2);
  });

  it('tells the api when a reader has left', async () => {
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
    const { connections } = await followThrough(async (follower) => {
      nginx.reload();
      // The old worker may finish for a second, then it is ended.
      await until(() => follower.connections === 2);
    });
    expect(connections).toBe(2);
  });

  it('keeps a stream open through a silence longer than its own patience', async () => {
    // Whoever killed the api before has ended it.
    if (!quiet.listening.isOpen) quiet = await openQuiet();
    await sleep(Math.max(0, quiet.sinceMs + SILENCE_MS - performance.now()));
    expect(quiet.listening.isOpen).toBe(true);
    expect(new Set(quiet.listening.heard.map(({ name }) => name))).toEqual(new Set(['ping']));
  }, 60_000);

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'loses nothing when the api restarts after %s',
    async (signal) => {
      const { connections } = await followThrough(async () => {
        await api.kill(signal);
        api = await set.startApi(Number(new URL(api.url).port));
      });
      expect(connections).toBeGreaterThan(1);
    },
  );
});
