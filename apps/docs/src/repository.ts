//! Selects the files that the site shows: its pages, and the files that it serves unchanged.
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

/** The site shows the first steps of README.md as a page; the front page has the rest. */
const FIRST_STEPS = /^## Quickstart$(.*?)(?=^## Guarantees$)/ms;

/** Files that the site serves unchanged: pages link to them or show them. */
const RAW_FILES = [
  'docs/reference/*.json',
  'docs/reference/.env.example',
  'docs/images/*.png',
  'deploy/nginx/*.conf',
  'compose*.yaml',
  'deploy/compose/**/*',
  'deploy/kubernetes/**/*',
  'deploy/systemd/*',
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
  const paths = globSync(RAW_FILES, { cwd: ROOT }).sort();
  return paths.filter((path) => statSync(posix.join(ROOT, path)).isFile());
}

/** A name that starts with a dot is not served. */
export function shownAs(path: string): string {
  return path.replace('/.env.example', '/env.example.txt');
}

export function readText(path: string): string {
  return readFileSync(posix.join(ROOT, path), 'utf8');
}

/** A page as it is rendered: starts with its title. */
export function readSource(path: string): string {
  const text = readText(path).replace(/^<!--.*?-->\s*/s, '');
  if (path !== 'README.md') return text;
  const steps = FIRST_STEPS.exec(text)?.[1];
  if (steps === undefined) throw new Error('README.md has no section "Quickstart"');
  // The heading became the title; links to it lead to the top of the page.
  return `# Quickstart\n\n<a id="quickstart"></a>\n${steps}`;
}

export function exists(path: string): boolean {
  return statSync(posix.join(ROOT, path), { throwIfNoEntry: false }) !== undefined;
}

/** The file that a link on a page means, from the root of the repository. */
export function resolveLink(from: string, target: string): string {
  return relative('/', posix.join('/', posix.dirname(from), target));
}
