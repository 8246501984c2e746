//! The sites that the api hands out beside its surfaces, and where their files are.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sites } from '@holdfast/contract/sites';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { serveStaticSite } from './http/static-site.ts';

/** In the repository, and in the package that operators install. */
const DOCS_BESIDE = ['../../docs/dist', './docs-site', '../docs-site'];

const DOCS_ABSENT = `The documentation was not built here.

In the repository: npm run build:docs, then start the api again.
Elsewhere: set HOLDFAST_DOCS_FOLDER to a folder that holds it.
`;

export function serveSites(http: FastifyInstance, config: Config): void {
  const { HOLDFAST_DOCS_FOLDER: named } = config;
  const folder = named ?? DOCS_BESIDE.map(beside).find(isSite);
  if (named !== undefined && !isSite(named))
    throw new Error(`HOLDFAST_DOCS_FOLDER: there is no index.html in ${named}`);
  serveStaticSite(http, sites.readDocs, { folder, absent: DOCS_ABSENT });
}

function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function isSite(folder: string): boolean {
  return existsSync(`${folder}/index.html`);
}
