import { execFileSync } from 'node:child_process';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useOpened } from '../../testing/use-world.ts';
import { openReceiver } from '../../testing/webhook-receiver.ts';
import { EgressRefusal } from './address-policy.ts';
import { Egress, type EgressOptions, type Resolve } from './egress.ts';

const receiver = useOpened(openReceiver);
let port: string;
const opened: Egress[] = [];
beforeAll(() => {
  port = new URL(receiver.url).port;
});
afterEach(() => {
  for (const egress of opened.splice(0)) egress.close();
  receiver.respondWith((response) => void response.end());
});

function open(options: Partial<EgressOptions> = {}): Egress {
  const egress = new Egress({ allowsLoopback: true, ...options });
  opened.push(egress);
  return egress;
}

const never = new AbortController().signal;
const body = Buffer.from('{"hello":"world"}');
const post = (egress: Egress, url: string) => egress.post(url, { 'x-test': 'yes' }, body, never);
/** Resolves to one list after the other; to the last one from then on. */
const resolvingTo = (...lists: string[][]): Resolve & { calls(): number } => {
  let calls = 0;
  const resolve = async () => {
    const addresses = lists[Math.min(calls, lists.length - 1)] ?? [];
    calls += 1;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return Object.assign(resolve, { calls: () => calls });
};

describe('sending a message', () => {
  it('carries body and headers, and reuses its connection', async () => {
    const [egress, before] = [open(), receiver.connections];
    for (let round = 0; round < 5; round += 1)
      expect(await post(egress, receiver.url)).toMatchObject({ status: 200, reason: null });
    const last = receiver.received.at(-1);
    expect(last?.text).toBe(body.toString());
    expect(last?.headers).toMatchObject({ 'x-test': 'yes', host: `127.0.0.1:${port}` });
    expect(receiver.connections - before).toBe(1);
  });

  it.each([201, 204, 299])('succeeds with status %i', async (status) => {
    receiver.respondWith((response) => void response.writeHead(status).end());
    expect(await post(open(), receiver.url)).toMatchObject({ status, reason: null });
  });

  it.each([400, 410, 429, 500, 503])('fails with status %i', async (status) => {
    receiver.respondWith((response) => void response.writeHead(status).end('no'));
    const exchange = await post(open(), receiver.url);
    expect(exchange).toMatchObject({ status, response: 'no', reason: `HTTP status ${status}` });
  });

  it.each([301, 302, 307, 308])('does not follow a redirect with status %i', async (status) => {
    const before = receiver.received.length;
    receiver.respondWith(
      (response) => void response.writeHead(status, { location: `${receiver.url}/there` }).end(),
    );
    const { reason } = await post(open(), receiver.url);
    expect(reason).toBe(`HTTP status ${status}; redirects are not followed`);
    expect(receiver.received.length - before).toBe(1);
  });

  it('stores a kilobyte of the response and does not read the rest', async () => {
    let written = 0;
    receiver.respondWith((response) => {
      const more = () => {
        while (!response.destroyed && written < 50_000_000) {
          written += 65_536;
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    const { status, response } = await post(open(), receiver.url);
    expect([status, response]).toEqual([200, 'x'.repeat(1024)]);
    expect(written).toBeLessThan(20_000_000);
  });

  it('stores only characters that PostgreSQL can hold', async () => {
    receiver.respondWith((response) => void response.end('a\u0000b'));
    expect((await post(open(), receiver.url)).response).toBe('a\ufffdb');
  });

  it('reports a response that is late, or cut off', async () => {
    const egress = open({ exchangeMsMax: 200 });
    receiver.respondWith(() => undefined);
    const late = await post(egress, receiver.url);
    expect(late).toMatchObject({
      status: null,
      response: null,
      reason: 'No response',
      detail: 'no response within 0.2 s',
    });
    expect(late.latencyMs).toBeLessThan(2000);
    receiver.respondWith((response) => void response.socket?.resetAndDestroy());
    const reason = 'No response';
    expect(await post(open(), receiver.url)).toMatchObject({ reason, detail: 'ECONNRESET' });
    expect(await post(open(), 'http://127.0.0.1:9/')).toMatchObject({
      reason,
      detail: 'ECONNREFUSED',
    });
  });

  it('takes a response that starts in time and never ends as received', async () => {
    receiver.respondWith((response) => void response.writeHead(200).write('slow'));
    const exchange = await post(open({ exchangeMsMax: 1000 }), receiver.url);
    expect(exchange).toMatchObject({ status: 200, response: 'slow', reason: null });
  });

  const switching =
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tea\r\n\r\n';
  it.each([
    ['and stays open', switching, false],
    ['and closes', switching, true],
  ])('ends at once when the response switches protocol: %s', async (_how, head, closes) => {
    receiver.respondWith(({ socket }) => {
      socket?.write(head);
      if (closes) socket?.end();
    });
    const exchange = await post(open({ exchangeMsMax: 2000 }), receiver.url);
    expect(exchange).toMatchObject({ status: 101, response: '', reason: 'HTTP status 101' });
    expect(exchange.latencyMs).toBeLessThan(1000);
  });

  it('reports a connection that ends without a response', async () => {
    receiver.respondWith(({ socket }) => void socket?.end());
    const exchange = await post(open({ exchangeMsMax: 2000 }), receiver.url);
    expect(exchange).toMatchObject({ status: null, reason: 'No response', detail: 'ECONNRESET' });
  });

  it('can be aborted by the sender', async () => {
    receiver.respondWith(() => undefined);
    const breaking = new AbortController();
    const exchange = open().post(receiver.url, {}, body, breaking.signal);
    setTimeout(() => breaking.abort(), 50);
    expect(await exchange).toMatchObject({ status: null });
  });
});

describe('resolving a name', () => {
  const url = () => `http://hook.example:${port}/hook`;

  it('happens once for a connection, which stays there; Host stays the name', async () => {
    const resolve = resolvingTo(['127.0.0.1'], ['10.0.0.1']);
    const egress = open({ resolve });
    for (let round = 0; round < 3; round += 1)
      expect(await post(egress, url())).toMatchObject({ status: 200 });
    expect(resolve.calls()).toBe(1);
    expect(receiver.received.at(-1)?.headers.host).toBe(`hook.example:${port}`);
    // The next connection is a new one, and checked again.
    receiver.respondWith((response) => void response.writeHead(200, { connection: 'close' }).end());
    await post(egress, url());
    const before = receiver.received.length;
    expect((await post(egress, url())).reason).toBe(
      'Not sent: the host does not resolve to a public address',
    );
    expect(receiver.received.length).toBe(before);
  });

  // Public at creation, private at use.
  it('refuses a name that resolves elsewhere after it was checked', async () => {
    const resolve = resolvingTo(['93.184.215.14'], ['127.0.0.1']);
    const egress = open({ allowsLoopback: false, resolve });
    await egress.check(`https://rebound.example:${port}/`);
    const [before, exchange] = [
      receiver.connections,
      await post(egress, `https://rebound.example:${port}/`),
    ];
    expect(exchange.reason).toBe('Not sent: the host does not resolve to a public address');
    expect(receiver.connections).toBe(before);
  });

  it.each([
    [['10.1.2.3']],
    [['93.184.215.14', '169.254.169.254']],
    [['2606:4700::1111', '::1']],
    [['::ffff:10.0.0.1']],
    [[]],
  ])('refuses a name that resolves to %j', async (addresses) => {
    const egress = open({ allowsLoopback: false, resolve: resolvingTo(addresses) });
    await expect(egress.check('https://inside.example/')).rejects.toThrow(EgressRefusal);
    expect((await post(egress, 'https://inside.example/')).reason).toMatch(/^Not sent: /);
  });

  it('knows the name of this machine', async () => {
    expect(await post(open(), `http://localhost:${port}/hook`)).toMatchObject({ status: 200 });
    const closed = open({ allowsLoopback: false });
    await expect(closed.check(`https://localhost:${port}/`)).rejects.toThrow(EgressRefusal);
  });

  // Else a marketplace could find out which names there are in our network.
  it('refuses a name inside and a missing one alike; only the detail differs', async () => {
    const missing = () => Promise.reject(new Error('ENOTFOUND'));
    const url = 'https://vault.internal/';
    const reason = 'the host does not resolve to a public address';
    for (const [resolve, detail] of [
      [resolvingTo(['10.1.2.3']), '10.1.2.3 is not public'],
      [resolvingTo([]), 'vault.internal has no address'],
      [missing, 'vault.internal cannot be resolved: ENOTFOUND'],
    ] as const) {
      const egress = open({ resolve });
      await expect(egress.check(url)).rejects.toMatchObject({ message: reason, detail });
      const failed = { status: null, latencyMs: 0, response: null, reason: `Not sent: ${reason}` };
      expect(await post(egress, url)).toEqual({ ...failed, detail });
    }
  });

  it('accepts only this machine over http', async () => {
    const egress = open({ resolve: resolvingTo(['93.184.215.14']) });
    await expect(egress.check('http://shop.example/')).rejects.toThrow('the URL must use https');
    expect((await post(egress, 'http://shop.example/')).reason).toContain('the URL must use https');
  });
});

describe('connecting over TLS', () => {
  it('requests the certificate by name, and requires a valid one', async () => {
    const pem = execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
      ].concat(['-keyout', '-', '-out', '-', '-days', '1', '-subj', '/CN=hook.example']),
      { stdio: ['ignore', 'pipe', 'ignore'] },
    ).toString();
    const names: string[] = [];
    const server = createSecureServer({
      key: pem,
      cert: pem,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: secure } = server.address() as AddressInfo;
    const egress = open({ resolve: resolvingTo(['127.0.0.1']) });
    const exchange = await post(egress, `https://hook.example:${secure}/`);
    const detail = 'DEPTH_ZERO_SELF_SIGNED_CERT';
    expect(exchange).toMatchObject({ status: null, reason: 'TLS failed', detail });
    const plain = await post(egress, receiver.url.replace('http:', 'https:'));
    expect(plain).toMatchObject({ status: null, reason: 'TLS failed' });
    expect(names).toEqual(['hook.example']);
    await new Promise((resolve) => server.close(resolve));
  });
});
