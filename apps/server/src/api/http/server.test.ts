import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { surfaceA } from '@holdfast/contract/surface-a';
import { describe, expect, it } from 'vitest';
import { metricsText } from '../../platform/telemetry/metrics.ts';
import { unknownIds } from '../../testing/right-requests.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld({ env: { HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: '3' } });

/** An alert wakes someone when it grows. */
async function countedBugs(): Promise<number> {
  const { text } = await metricsText();
  return Number(/^holdfast_bugs_total\{source="request"\} (\d+)$/m.exec(text)?.[1]);
}

describe('sending a request', () => {
  it("keeps a caller's UUID as request id, and replaces anything else", async () => {
    const id = randomUUID();
    const echoed = await world.send('GET', '/health', { headers: { 'x-request-id': id } });
    expect([echoed.headers['x-request-id'], echoed.json.meta.requestId]).toEqual([id, id]);
    const replaced = await world.send('GET', '/health', {
      headers: { 'x-request-id': 'x\r\ninjected: 1' },
    });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['a broken body', '{"externalUserId":', 400, 'VALIDATION_ERROR'],
    ['a list', '[]', 400, 'VALIDATION_ERROR'],
    ['null', 'null', 400, 'VALIDATION_ERROR'],
    [
      'a body too large',
      JSON.stringify({ externalUserId: 'x'.repeat(70_000) }),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])('is refused with %s', async (_, body, status, code) => {
    const market = await world.market();
    const response = await market.send('POST', '/users', { body });
    expect([response.status, response.json.error.code]).toEqual([status, code]);
  });

  it('is refused with another content type, or compressed', async () => {
    const market = await world.market();
    const xml = await market.send('POST', '/users', {
      body: '<a/>',
      headers: { 'content-type': 'text/xml' },
    });
    expect([xml.status, xml.json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const zipped = await market.send('POST', '/users', {
      body: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expect([zipped.status, zipped.json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  const ignoring = Object.values<Endpoint>(surfaceA).filter(
    ({ bodyRead, scope }) => bodyRead === 'none' && scope === 'write',
  );
  it.each(ignoring.map((endpoint) => [endpoint.path, endpoint] as const))(
    'ignores any body of %s',
    async (path, endpoint) => {
      expect(ignoring.length).toBeGreaterThanOrEqual(2);
      const market = await world.market();
      const ids = unknownIds(endpoint);
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
      const { status, text } = await market.send(endpoint.method, url);
      // Without an engine, nothing of an escrow is started.
      expect([404, 503]).toContain(status);
      for (const headers of [
        { 'content-type': 'application/json' },
        { 'content-type': 'text/xml' },
        { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        { 'content-type': 'nonsense' },
      ])
        for (const body of ['{"amount":', '{"amount":"1.00","other":true}', '[]', '<order/>']) {
          const response = await market.send(endpoint.method, url, { body, headers });
          expect([response.status, response.text], JSON.stringify({ headers, body })).toEqual([
            status,
            text,
          ]);
        }
    },
  );

  it.each(['/health', '/users', '/no-such-route', '/users/%zz'])(
    'lets browsers run and frame nothing of %s',
    async (path) => {
      const { headers, json } = await world.send('GET', path);
      expect(json.meta ?? json.error).toBeDefined();
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it('returns 404 for an unknown path, and 405 with the allowed methods', async () => {
    const market = await world.market();
    expect((await market.send('GET', '/no-such-route')).json.error.code).toBe('ROUTE_NOT_FOUND');
    const wrong = await market.send('DELETE', '/users');
    expect([wrong.status, wrong.json.error.code, wrong.headers['allow']]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'POST, GET',
    ]);
  });

  it.each(['/users/', '//users', '/Users', '/users%2f', '/./users/x/../users?'])(
    'reaches no other route when spelled %s',
    async (path) => {
      expect((await world.send('GET', path)).status).not.toBe(200);
    },
  );

  it('counts no refusal as a bug', async () => {
    const market = await world.market();
    const before = await countedBugs();
    for (const path of ['/no-such-route', '/orders/ord_none', '/users?limit=x'])
      expect([400, 404]).toContain((await market.send('GET', path)).status);
    expect(await countedBugs()).toBe(before);
  });

  it('counts a bug, and returns no detail of it', async () => {
    const market = await world.market();
    const before = await countedBugs();
    await world.rows('alter table users rename to users_away');
    const response = await market.send('GET', '/users');
    await world.rows('alter table users_away rename to users');
    expect([response.status, response.json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(response.text).not.toMatch(/users_away|relation|select/);
    expect(await countedBugs()).toBe(before + 1);
  });
});

it('limits the connections of one address', async () => {
  await world.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.http.server.address() as AddressInfo;
  const open = (): Promise<string> =>
    new Promise((resolve) => {
      const request = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: '/api/v1/health',
          headers: { connection: 'keep-alive' },
          agent: false,
        },
        (response) => {
          response.resume();
          resolve('served');
        },
      );
      request.on('error', () => resolve('cut'));
      request.setHeader('content-length', '1');
      request.flushHeaders();
      setTimeout(() => request.end('x'), 300);
    });
  const outcomes = await Promise.all(Array.from({ length: 6 }, open));
  expect(outcomes.filter((each) => each === 'cut').length).toBe(3);
});
