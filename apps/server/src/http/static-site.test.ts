//! A folder of files on the wire: what is found, what is not, and what a browser is told.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sites } from '@holdfast/contract/sites';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStaticSite } from './static-site.ts';

const SCRIPT = 'console.log("inline")';
const outside = mkdtempSync(join(tmpdir(), 'holdfast-site-'));
const folder = join(outside, 'site');
let http: FastifyInstance;

beforeAll(async () => {
  const files = {
    'index.html': `<script>${SCRIPT}</script><script src="x.js"></script>`,
    '404.html': 'no such page',
    'guides/orders/index.html': 'orders',
    '_astro/page.abc.js': 'export {}',
    'search/wasm.en.pagefind': 'bytes',
    '.secret': 'of others',
    'a name.txt': 'spaces',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(outside, 'secret.txt'), 'of others');
  http = open(folder);
});
afterAll(async () => {
  await http.close();
  rmSync(outside, { recursive: true });
});

function open(at: string | undefined): FastifyInstance {
  const server = Fastify({ exposeHeadRoutes: false });
  server.decorate('served', []);
  serveStaticSite(server, sites.readDocs, { folder: at, absent: 'not built' });
  return server;
}

function get(url: string, headers: Record<string, string> = {}) {
  return http.inject({ method: 'GET', url, headers });
}

describe('a site', () => {
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
  ])('hands out %s', async (url, type, caching) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type]);
    expect(answer.headers['cache-control']).toBe(caching);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['/docs', '/docs/'],
    ['/docs/guides/orders', '/docs/guides/orders/'],
  ])('sends %s to its page', async (url, to) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers['location']]).toEqual([308, to]);
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
  ])('has its own page for %s, which is not in it', async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('of others');
  });

  it('shows the page for what is missing', async () => {
    const answer = await get('/docs/nothing/');
    expect([answer.statusCode, answer.body]).toEqual([404, 'no such page']);
  });

  it('says nothing again to whoever has it', async () => {
    const { headers } = await get('/docs/');
    const etag = String(headers['etag']);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/docs/', { 'if-none-match': known });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    expect((await get('/docs/', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const url = `${await http.listen({ port: 0 })}/docs/`;
    const [head, whole] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });

  it('lets the scripts of a page run, by their hash, and no other', async () => {
    const policy = String((await get('/docs/')).headers['content-security-policy']);
    const hash = createHash('sha256').update(SCRIPT).digest('base64');
    expect(/script-src [^;]*/.exec(policy)?.[0]).toBe(
      `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`,
    );
    expect(policy).toContain("default-src 'none'");
  });
});

it('that was not built says how to build it', async () => {
  const server = open(undefined);
  for (const url of ['/docs', '/docs/', '/docs/guides/orders/']) {
    const answer = await server.inject({ method: 'GET', url });
    expect([answer.statusCode, answer.body]).toEqual([404, 'not built']);
  }
});
