//! The static sites that the api serves beside its surfaces, and the location of their files.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sites } from '@holdfast/contract/sites';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../platform/config/config.ts';
import { serveStaticSite } from './static-site.ts';

type FolderSetting = 'HOLDFAST_DOCS_FOLDER' | 'HOLDFAST_CONSOLE_FOLDER';

interface Built {
  /** In the repository, and in the package that operators install. */
  readonly beside: readonly string[];
  readonly setting: FolderSetting;
  readonly name: string;
  readonly build: string;
}

const DOCS: Built = {
  beside: ['../../../../../docs/dist', './docs-site', '../docs-site'],
  setting: 'HOLDFAST_DOCS_FOLDER',
  name: 'documentation',
  build: 'npm run build:docs',
};
const CONSOLE: Built = {
  beside: ['../../../../../console/dist', './console-site', '../console-site'],
  setting: 'HOLDFAST_CONSOLE_FOLDER',
  name: 'console',
  build: 'npm run build:console',
};

export function serveSites(http: FastifyInstance, config: Config): void {
  serveStaticSite(http, sites.readDocs, {
    folder: folderOf(DOCS, config),
    absent: absenceOf(DOCS),
    kind: 'pages',
  });
  serveStaticSite(http, sites.openConsole, {
    folder: folderOf(CONSOLE, config),
    absent: absenceOf(CONSOLE),
    kind: 'application',
  });
}

function folderOf({ setting, beside }: Built, config: Config): string | undefined {
  const named = config[setting];
  if (named !== undefined && !isSite(named))
    throw new Error(`${setting}: there is no index.html in ${named}`);
  return named ?? beside.map(pathBeside).find(isSite);
}

function absenceOf({ name, build, setting }: Built): string {
  return `The ${name} was not built here.

In the repository: ${build}, then start the api again.
Elsewhere: set ${setting} to a folder that holds it.
`;
}

function pathBeside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function isSite(folder: string): boolean {
  return existsSync(`${folder}/index.html`);
}
