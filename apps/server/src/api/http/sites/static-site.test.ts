//! Tests of a static site over HTTP: found and missing files, and response headers.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sites } from '@holdfast/contract/sites';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStaticSite } from './static-site.ts';

const SCRIPT = 'console.log("inline")';
/** Of every file in a package from npm. */
const NPM_TIME = new Date('1985-10-26T08:15:00Z');
const LONG = 'export const words = "again";\n'.repeat(200);
const parentFolder = mkdtempSync(join(tmpdir(), 'holdfast-site-'));
const folder = join(parentFolder, 'site');
let http: FastifyInstance;

beforeAll(async () => {
  const files = {
    'index.html': `<script>${SCRIPT}</script><script src="x.js"></script>`,
    '404.html': 'no such page',
    'guides/orders/index.html': 'orders',
    '_astro/page.abc.js': 'export {}',
    '_astro/long.abc.js': LONG,
    '_astro/long.abc.woff2': LONG,
    'search/wasm.en.pagefind': 'bytes',
    '.secret': 'of others',
    'a name.txt': 'spaces',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(parentFolder, 'secret.txt'), 'of others');
  http = open(folder);
});
afterAll(async () => {
  await http.close();
  rmSync(parentFolder, { recursive: true });
});

function open(at: string | undefined): FastifyInstance {
  const server = Fastify({ exposeHeadRoutes: false });
  server.decorate('served', []);
  const site = { folder: at, absent: 'not built' };
  serveStaticSite(server, sites.readDocs, { ...site, kind: 'pages' });
  serveStaticSite(server, sites.openConsole, { ...site, kind: 'application' });
  return server;
}

function get(url: string, headers: Record<string, string> = {}) {
  return http.inject({ method: 'GET', url, headers });
}

describe('serving a site', () => {
  it.each([
    ['/docs/', 'text/html; charset=utf-8', 'no-cache'],
    ['/docs/guides/orders/', 'text/html; charset=utf-8', 'no-cache'],
    ['/docs/a%20name.txt', 'text/plain; charset=utf-8', 'no-cache'],
    ['/docs/search/wasm.en.pagefind', 'application/octet-stream', 'no-cache'],
    [
      '/docs/_astro/page.abc.js',
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ],
  ])('serves %s', async (url, type, caching) => {
    const response = await get(url);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, type]);
    expect(response.headers['cache-control']).toBe(caching);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['/docs', '/docs/'],
    ['/docs/guides/orders', '/docs/guides/orders/'],
  ])('redirects %s to its page', async (url, to) => {
    const response = await get(url);
    expect([response.statusCode, response.headers['location']]).toEqual([308, to]);
  });

  it.each([
    '/docs/nothing',
    '/docs/guides/',
    '/docs/.secret',
    '/docs/../secret.txt',
    '/docs/%2e%2e/secret.txt',
    '/docs/..%2fsecret.txt',
    '/docs/..%5csecret.txt',
    '/docs//secret.txt',
    '/docs/index.html/',
    '/docs/index.html%00.txt',
  ])('has its own page for %s, which is missing', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toContain('of others');
  });

  it('shows the page for missing files', async () => {
    const response = await get('/docs/nothing/');
    expect([response.statusCode, response.body]).toEqual([404, 'no such page']);
  });

  it('returns 304 to a client that has the file', async () => {
    const { headers } = await get('/docs/');
    const etag = String(headers['etag']);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/docs/', { 'if-none-match': known });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    expect((await get('/docs/', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('returns a changed page, even one of the same length and time', async () => {
    const page = join(folder, 'guides/release/index.html');
    mkdirSync(join(page, '..'));
    const load = async (text: string, headers = {}) => {
      writeFileSync(page, text);
      utimesSync(page, NPM_TIME, NPM_TIME);
      const restarted = open(folder);
      const response = await restarted.inject({ url: '/docs/guides/release/', headers });
      await restarted.close();
      return response;
    };
    const { headers } = await load('assets/1.js');
    const next = await load('assets/2.js', { 'if-none-match': String(headers['etag']) });
    expect([next.statusCode, next.body]).toEqual([200, 'assets/2.js']);
  });

  it('returns the same headers and no body for HEAD', async () => {
    const url = `${await http.listen({ port: 0 })}/docs/`;
    const [head, whole] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });

  it('allows the scripts of a page by their hash, and no other', async () => {
    const policy = String((await get('/docs/')).headers['content-security-policy']);
    const hash = createHash('sha256').update(SCRIPT).digest('base64');
    expect(/script-src [^;]*/.exec(policy)?.[0]).toBe(
      `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`,
    );
    expect(policy).toContain("default-src 'none'");
  });
});

describe('serving a long text', () => {
  const getLong = (accepts: string, more = {}) =>
    get('/docs/_astro/long.abc.js', { 'accept-encoding': accepts, ...more });

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ] as const)('is sent to a client that accepts %s as %s', async (accepts, encoding, read) => {
    const response = await getLong(accepts);
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
    expect(response.rawPayload.length).toBeLessThan(LONG.length / 10);
    expect(read(response.rawPayload).toString()).toBe(LONG);
    expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it.each(['', 'identity', 'br;q=0, gzip;q=0', '*;q=0', 'deflate'])(
    'is sent uncompressed to a client that accepts "%s"',
    async (accepts) => {
      const response = await getLong(accepts);
      expect([response.headers['content-encoding'], response.body]).toEqual([undefined, LONG]);
      expect(response.headers['vary']).toBe('accept-encoding');
    },
  );

  it('varies by encoding for caches', async () => {
    const tags = new Set<string>();
    for (const accepts of ['br', 'gzip', 'identity']) {
      const etag = String((await getLong(accepts)).headers['etag']);
      tags.add(etag);
      const again = await getLong(accepts, { 'if-none-match': etag });
      expect([again.statusCode, again.headers['vary']]).toEqual([304, 'accept-encoding']);
    }
    expect(tags.size).toBe(3);
    const [first = ''] = tags;
    expect((await getLong('gzip', { 'if-none-match': first })).statusCode).toBe(200);
  });

  it('leaves short files and binary files uncompressed', async () => {
    for (const name of ['page.abc.js', 'long.abc.woff2']) {
      const response = await get(`/docs/_astro/${name}`, { 'accept-encoding': 'br, gzip' });
      expect(response.headers['content-encoding']).toBe(undefined);
    }
  });
});

describe('serving an application', () => {
  it.each(['/console/', '/console/orders', '/console/orders/ord_1?tab=money', '/console/a/b/'])(
    'has one page for %s, and no script but its own files',
    async (url) => {
      const response = await get(url);
      expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(response.body).toContain(SCRIPT);
      const policy = String(response.headers['content-security-policy']);
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
    },
  );

  it.each(['/console/assets/gone.js', '/console/favicon.ico', '/console/../secret.txt'])(
    'has no page in place of the file %s',
    async (url) => expect((await get(url)).statusCode).toBe(404),
  );
});

it('returns how to build it when it was not built', async () => {
  const server = open(undefined);
  for (const url of ['/docs', '/docs/', '/docs/guides/orders/']) {
    const response = await server.inject({ method: 'GET', url });
    expect([response.statusCode, response.body]).toEqual([404, 'not built']);
  }
});
