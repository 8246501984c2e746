//! Serves a folder of built files: pages, their assets, and nothing outside the folder.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Bodies, chosenEncoding, compressed } from './static-site-encoding.ts';

export interface StaticSite {
  /** The folder of the files; undefined when the site was not built. */
  readonly folder: string | undefined;
  /** Sent to clients that request a site that was not built. */
  readonly absent: string;
  /** Pages, each with its own file; or an application with one page that routes itself. */
  readonly kind: 'pages' | 'application';
}

interface SiteFile {
  readonly body: Buffer;
  readonly compressed: Bodies;
  readonly hash: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.conf': 'text/plain; charset=utf-8',
  '.yaml': 'text/plain; charset=utf-8',
};
const OTHER_TYPE = 'application/octet-stream';

/** Folders whose files carry a hash of their content in their names: they never change. */
const HASHED = /^(_astro|assets)\//;
const HIDDEN = /(^|\/)\./;
const FILE_NAME = /\.[a-z0-9]{2,5}$/;

/** Serves the row's path and everything below it, to GET and to HEAD. */
export function serveStaticSite(http: FastifyInstance, row: Endpoint, site: StaticSite): void {
  const files =
    site.folder === undefined ? undefined : new SiteFiles(site.folder, POLICIES[site.kind]);
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    if (files === undefined)
      return reply.code(404).type('text/plain; charset=utf-8').send(site.absent);
    const { '*': path } = request.params as { '*'?: string };
    const url = `${row.path}/${path ?? ''}`;
    if (path === undefined || (path !== '' && files.hasPage(`${path}/`)))
      return reply.redirect(`${url}${url.endsWith('/') ? '' : '/'}`, 308);
    const isRoute = site.kind === 'application' && !HASHED.test(path) && !FILE_NAME.test(path);
    const found = await files.read(isRoute ? '' : path);
    if (found === undefined) return send(request, reply.code(404), await files.read('404.html'));
    return send(request, reply, found);
  };
  const pattern = new RegExp(`^${row.path}(/.*)?$`);
  for (const method of ['GET', 'HEAD']) {
    for (const url of [row.path, `${row.path}/*`])
      http.route({ method, url, config: { endpoint: row }, handler: handle });
    http.served.push({ endpoint: row, method, pattern });
  }
}

function send(request: FastifyRequest, reply: FastifyReply, file: SiteFile | undefined) {
  if (file === undefined) return reply.type('text/plain; charset=utf-8').send('Not found\n');
  const encoding = chosenEncoding(request.headers['accept-encoding'], file.compressed);
  // Each encoding is a separate entry for a cache.
  const tag = `"${file.hash}${encoding === undefined ? '' : `-${encoding}`}"`;
  reply.headers({ ...file.headers, etag: tag });
  const known = request.headers['if-none-match']?.split(/\s*,\s*/) ?? [];
  if (reply.statusCode === 200 && known.some((one) => one.replace(/^W\//, '') === tag))
    return reply.code(304).send();
  if (encoding === undefined) return reply.send(file.body);
  return reply.header('content-encoding', encoding).send(file.compressed[encoding]);
}

/**
 * Only files that were in the folder when the process started: no request path touches the disk.
 */
class SiteFiles {
  readonly #folder: string;
  readonly #paths: ReadonlySet<string>;
  readonly #policy: PolicyOf;
  readonly #read = new Map<string, Promise<SiteFile>>();

  constructor(folder: string, policy: PolicyOf) {
    this.#folder = folder;
    this.#policy = policy;
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = found
      .filter((one) => one.isFile())
      .map((one) => relative(folder, join(one.parentPath, one.name)));
    this.#paths = new Set(paths.filter((path) => !HIDDEN.test(path)));
  }

  /** True for a folder with a page of its own; its name ends with a slash. */
  hasPage(path: string): boolean {
    return this.#paths.has(`${path}index.html`);
  }

  async read(path: string): Promise<SiteFile | undefined> {
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!this.#paths.has(name)) return undefined;
    const reading = this.#read.get(name) ?? this.#load(name);
    this.#read.set(name, reading);
    // After a failed read, the next request tries again.
    reading.catch(() => this.#read.delete(name));
    return reading;
  }

  async #load(name: string): Promise<SiteFile> {
    const body = await readFile(join(this.#folder, name));
    const type = TYPES[extname(name)] ?? OTHER_TYPE;
    const headers = {
      'content-type': type,
      vary: 'accept-encoding',
      'cache-control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy': this.#policy(type.startsWith('text/html') ? body.toString() : ''),
    };
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
    return { body, compressed: await compressed(body, type), hash, headers };
  }
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

type PolicyOf = (html: string) => string;

/** Scripts run from the site itself or not at all; those inside a page are named by their hash. */
function policyOfPages(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  // The search engine is compiled to WebAssembly.
  return policyWith(["'self' 'wasm-unsafe-eval'", ...new Set(hashes)].join(' '));
}

function policyWith(scripts: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const POLICIES: Readonly<Record<StaticSite['kind'], PolicyOf>> = {
  pages: policyOfPages,
  // Operators who sign in here decide about money: no script but its own files.
  application: () => policyWith("'self'"),
};
