//! Styles, scripts and pictures: read once, served from memory. Nothing comes from elsewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../refusal.ts';

const PUBLIC = join(import.meta.dirname, '..', '..', 'public');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function serveAssets(app: FastifyInstance): void {
  // Only paths that were read at the start exist, so dots in a path lead nowhere.
  const files = new Map(
    readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' })
      .filter((path) => extname(path) in TYPES)
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(PUBLIC, path))]),
  );
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const path = request.params['*'];
    const file = files.get(path) ?? notFound();
    return reply
      .header('content-type', TYPES[extname(path)])
      .header('cache-control', 'public, max-age=300')
      .send(file);
  });
}
