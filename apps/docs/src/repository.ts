//! What of the repository the site shows: which files are pages, which are handed out as they are.
import { globSync, readFileSync, statSync } from 'node:fs';
import { posix, relative } from 'node:path';

/** Of the repository. */
export const ROOT = posix.join(import.meta.dirname, '../../..');

/** Pages that stand at the root of the repository, where a code host looks for them. */
const ROOT_PAGES: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'project/architecture',
  'CONTRIBUTING.md': 'project/contributing',
  'CHANGELOG.md': 'project/changelog',
  'SECURITY.md': 'project/security',
  'README.md': 'quickstart',
};

/** Of README.md the site has its first steps, as a page; the front page says the rest. */
const FIRST_STEPS = /^## One minute$.*?(?=^## Run it)/ms;

/** Files that pages link to and that a reader copies or feeds to a tool. */
const RAW_FILES = [
  'docs/reference/*.json',
  'docs/reference/.env.example',
  'deploy/nginx/*.conf',
  'compose.yaml',
];

export interface PageFile {
  /** From the root of the repository. */
  readonly path: string;
  /** From the root of the site, without a slash at either end; `index` is the front page. */
  readonly id: string;
}

export function pageFiles(): PageFile[] {
  const below = globSync('docs/**/*.md', { cwd: ROOT }).map((path) => ({ path, id: idOf(path) }));
  const above = Object.entries(ROOT_PAGES).map(([path, id]) => ({ path, id }));
  return [...below, ...above].sort((a, b) => a.id.localeCompare(b.id));
}

function idOf(path: string): string {
  const id = path.replace(/^docs\//, '').replace(/\.md$/, '');
  return id === 'index' ? id : id.replace(/\/(README|index)$/, '');
}

export function rawFiles(): string[] {
  return globSync(RAW_FILES, { cwd: ROOT }).sort();
}

/** A name that begins with a dot is not served. */
export function shownAs(path: string): string {
  return path.replace('/.env.example', '/env.example.txt');
}

export function readText(path: string): string {
  return readFileSync(posix.join(ROOT, path), 'utf8');
}

/** A page as it is rendered: begins with its title. */
export function readSource(path: string): string {
  const text = readText(path).replace(/^<!--.*?-->\s*/s, '');
  if (path !== 'README.md') return text;
  const steps = FIRST_STEPS.exec(text)?.[0];
  if (steps === undefined) throw new Error('README.md has no section "One minute"');
  return `# Quickstart\n\n${steps}`;
}

export function exists(path: string): boolean {
  return statSync(posix.join(ROOT, path), { throwIfNoEntry: false }) !== undefined;
}

/** The file that a link on a page means, from the root of the repository. */
export function resolveLink(from: string, target: string): string {
  return relative('/', posix.join('/', posix.dirname(from), target));
}
