//! The built site has every page, no dead link, and nothing loaded from other hosts.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '@holdfast/contract/errors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handWritten, ROOT, reference } from './pages.ts';

let site: string;
let paths: Set<string>;
let pages: Map<string, string>;

beforeAll(() => {
  site = mkdtempSync(join(ROOT, '.cache', 'site-'));
  const build = ['run', '--silent', 'build', '--workspace', '@holdfast/docs', '--'];
  execFileSync('npm', [...build, '--outDir', site], {
    cwd: ROOT,
    // Without the test runner's environment: Vite would take its BASE_URL for the site's.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  paths = new Set(globSync('**/*', { cwd: site }));
  pages = new Map(
    [...paths]
      .filter((path) => path.endsWith('.html'))
      .map((path) => [path, readFileSync(join(site, path), 'utf8')]),
  );
}, 180_000);
afterAll(() => rmSync(site, { recursive: true, force: true }));

it('has every page', () => {
  expect(pages.size).toBeGreaterThan(handWritten.length + reference.length);
});

it('has no dead link, and loads nothing from other hosts', () => {
  const faults = [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/<(\w+)[^>]*?\s(href|src)="([^"]*)"/g)].flatMap(([, tag, , url = '']) => {
      if (url.startsWith('#') || url.startsWith('data:')) return [];
      if (tag === 'a' && /^https?:/.test(url)) return [];
      const [bare = ''] = url.split('#');
      if (!bare.startsWith('/docs/')) return [`${path} has ${url}`];
      const file = `${bare.slice('/docs/'.length)}${bare.endsWith('/') ? 'index.html' : ''}`;
      return paths.has(file) ? [] : [`${path} has ${url}`];
    }),
  );
  expect(faults).toEqual([]);
});

it('has a page for every error, at the address that the SDK links to', () => {
  for (const code of Object.keys(errors))
    expect(paths).toContain(`reference/errors/${code.toLowerCase()}/index.html`);
});

it('has a search, a list of pages, and files to copy', () => {
  expect(paths).toContain('pagefind/pagefind.js');
  expect(paths).toContain('files/docs/reference/openapi-surface-a.json');
  const list = readFileSync(join(site, 'llms.txt'), 'utf8');
  expect(list.split('\n').filter((line) => line.startsWith('- ')).length).toBe(pages.size - 1);
});
