//! The tests that a change can affect: in a small example repository, and in this one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allTests, readGraph, relatedTests, testsSince } from './graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "scripts": { "api": "node apps/web/src/api.ts" } }',
  'vitest.config.ts': "export default { globalSetup: ['tests/before-all.ts'] };",
  'tests/before-all.ts': "import '../apps/web/src/seed.ts';",
  'apps/web/src/seed.ts': 'export const seed = 1;',
  'packages/money/package.json': `{ "name": "@made/money",
    "imports": { "#*": { "source": "./src/*.ts", "default": "./dist/*.js" } },
    "exports": { "./*": { "source": "./src/*.ts", "default": "./dist/*.js" } } }`,
  'packages/money/src/cents.ts': 'export const cents = 100;',
  'packages/money/src/euro.ts': "import { cents } from '#cents';\nexport const euro = cents;",
  'packages/money/src/euro.test.ts': "import { euro } from './euro.ts';",
  'apps/web/src/price.ts': "import { euro } from '@made/money/euro';\nexport const price = euro;",
  'apps/web/src/price.test.ts': "import { price } from './price.ts';",
  'apps/web/src/types.ts': 'export interface Price {}',
  'apps/web/src/words.ts': "import type { Price } from './types.ts';\nexport const word = 'price';",
  'apps/web/src/words.test.ts': "// It isn't './price.ts' that it needs.\nimport './words.ts';",
  'apps/web/src/api.ts': "const later = () => import('./price.ts');",
  'apps/web/src/orphan.ts': 'export const orphan = 1;',
  'apps/web/src/rows.sql': 'select 1;',
  'docs/guide.md': '# Prices',
  'CHANGELOG.md': '# Changes',
  'tests/guide.test.ts': "const pages = join(import.meta.dirname, '../docs/');",
  'tests/start.ts': "export const api = new URL('../apps/web/src/api.ts', import.meta.url);",
  'tests/whole.test.ts': "import { api } from './start.ts';",
  'tests/worker.test.ts': 'const path = `../apps/web/src/words.ts`;',
  'tests/tidy.test.ts': "import { readdirSync } from 'node:fs';\nreaddirSync(process.cwd());",
};

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-graph-'));
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'all');
});

afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function git(...args: readonly string[]): void {
  execFileSync('git', [...args], { cwd: root });
}

function testsOf(...files: readonly string[]): readonly string[] | 'all' {
  const related = relatedTests(readGraph(root), files);
  return related === 'all' ? 'all' : related.tests;
}

describe('a change touches', () => {
  it('the tests that import it, through packages too, the nearest first', () => {
    expect(testsOf('packages/money/src/cents.ts')).toEqual([
      'packages/money/src/euro.test.ts',
      'apps/web/src/price.test.ts',
      'tests/whole.test.ts',
      'tests/tidy.test.ts',
    ]);
  });

  it('the tests that start it by its path', () => {
    const related = relatedTests(readGraph(root), ['apps/web/src/api.ts']);
    expect(related).toEqual({
      tests: ['tests/whole.test.ts', 'tests/tidy.test.ts'],
      harnesses: ['apps/web/src/api.ts'],
    });
    expect(testsOf('apps/web/src/words.ts')).toContain('tests/worker.test.ts');
  });

  it('a test that changed itself', () => {
    expect(testsOf('apps/web/src/words.test.ts')).toContain('apps/web/src/words.test.ts');
    expect(testsOf('apps/web/src/words.test.ts')).not.toContain('apps/web/src/price.test.ts');
  });

  it('no test by a comment, but each test that reads the tree', () => {
    expect(testsOf('apps/web/src/price.ts')).not.toContain('apps/web/src/words.test.ts');
    expect(testsOf('apps/web/src/price.ts')).toContain('tests/tidy.test.ts');
  });

  it('those who read a document, or its folder', () => {
    expect(testsOf('docs/guide.md')).toEqual(['tests/guide.test.ts', 'tests/tidy.test.ts']);
    expect(testsOf('docs/gone.md')).toEqual(['tests/tidy.test.ts']);
    expect(testsOf('CHANGELOG.md')).toEqual(['tests/tidy.test.ts']);
  });

  it('all tests where the graph does not know', () => {
    for (const file of ['apps/web/src/rows.sql', 'package.json', 'apps/web/src/orphan.ts'])
      expect(testsOf(file), file).toBe('all');
    expect(testsOf('apps/web/src/gone.ts')).toBe('all');
    // It runs before every test.
    expect(testsOf('apps/web/src/seed.ts')).toBe('all');
    // Types alone reach no test, so no source names it.
    expect(testsOf('apps/web/src/types.ts')).toBe('all');
  });

  it('no test when it is a test that is gone', () => {
    expect(testsOf('apps/web/src/gone.test.ts')).toEqual([]);
  });
});

describe('changes since a commit', () => {
  it('are what differs from it and what is new, and nothing when there is nothing', () => {
    expect(testsSince('HEAD', root)).toEqual([]);
    write('apps/web/src/words.ts', "export const word = 'cost';");
    write('apps/web/src/new.test.ts', "import './words.ts';");
    expect(testsSince('HEAD', root)).toEqual([
      'apps/web/src/new.test.ts',
      'apps/web/src/words.test.ts',
      'tests/worker.test.ts',
      'tests/tidy.test.ts',
    ]);
  });
});

describe('this repository', () => {
  const graph = readGraph();
  const related = (file: string) => {
    const found = relatedTests(graph, [file]);
    return found === 'all' ? [] : found.tests;
  };

  it('was read, and every test of it', () => {
    expect(allTests(graph).length).toBeGreaterThan(200);
  });

  it('has its own test first, and among the others those that start whole sets', () => {
    const tests = related('apps/server/src/orders/settlement/release-order.ts');
    expect(tests[0]).toBe('apps/server/src/orders/settlement/release-order.test.ts');
    expect(tests.filter((test) => test.startsWith('tests/'))).not.toEqual([]);
  });

  it('knows what runs before all tests', () => {
    expect(relatedTests(graph, ['apps/server/src/platform/database/migrator.ts'])).toBe('all');
  });

  it('relates no tests through types alone', () => {
    expect(related('packages/sdk/src/retry.ts')).toContain('packages/sdk/src/retry.test.ts');
    expect(related('packages/sdk/src/retry.ts')).not.toContain(
      'apps/server/src/accounts/books/debit-balance.test.ts',
    );
  });
});
