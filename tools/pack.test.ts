//! The packed packages can be installed and started, and hold no more than that needs.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stageHoldfast } from './pack/holdfast.ts';
import { pinned, withoutSources } from './pack/manifest.ts';
import { buildMissing } from './pack/sites.ts';

const MEGABYTES_MAX = 4;

describe('the package holdfast', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-stage-'));
  const files = () => readdirSync(join(folder, 'dist'));
  const manifest = () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  beforeAll(() => stageHoldfast(folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('has nothing that publint would mend', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true, pack: 'npm' });
    expect(messages.map((message) => formatMessage(message, manifest()))).toEqual([]);
  });

  test('names the exact version of each package that its code imports, and none of ours', () => {
    const { dependencies } = manifest() as { dependencies: Record<string, string> };
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@holdfast/'))).toEqual([]);
    expect(dependencies).toMatchObject(pinned(['pg', 'fastify', 'commander']));
  });

  test('brings the migrations of the server', () => {
    const own = readdirSync(
      join(import.meta.dirname, '../apps/server/src/platform/database/migrations'),
    );
    expect(readdirSync(join(folder, 'dist/migrations'))).toEqual(own);
  });

  test('brings what a process starts as a thread', () => {
    expect(files()).toContain('password-thread-main.js');
  });

  test('is small, and can be started', () => {
    const sizes = files().map((name) => statSync(join(folder, 'dist', name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MEGABYTES_MAX * 1024 ** 2);
    expect(readFileSync(join(folder, 'dist/holdfast.js'), 'utf8')).toMatch(
      /^#!\/usr\/bin\/env node\n/,
    );
    expect(statSync(join(folder, 'dist/holdfast.js')).mode & 0o111).toBe(0o111);
  });

  test('has source maps that name our source files', () => {
    const map = JSON.parse(readFileSync(join(folder, 'dist/worker.js.map'), 'utf8'));
    expect(map.sources).toContain('../apps/server/src/programs/worker.ts');
    expect(map.sourcesContent).toBeUndefined();
  });
});

describe('the console and the docs', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'holdfast-sites-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const build = (site: string) => {
    mkdirSync(join(root, 'apps', site, 'dist'), { recursive: true });
    writeFileSync(join(root, 'apps', site, 'dist/index.html'), '<!doctype html>');
  };

  test('are built where they are missing, and only there', () => {
    build('docs');
    const built: string[] = [];
    const note = (site: string) => {
      built.push(site);
      build(site);
    };
    buildMissing(root, note);
    buildMissing(root, note);
    expect(built).toEqual(['console']);
  });

  test('that cannot be built stop the packing, with the command to run', () => {
    build('console');
    expect(() => buildMissing(root, () => undefined)).toThrow(
      'apps/docs is not built: run `npm run build:docs`',
    );
  });
});

test('an undeclared package is not packed', () => {
  expect(() => pinned(['left-pad'])).toThrow('imported but not declared');
});

test('the export condition for the sources is not published', () => {
  const entry = { '@holdfast/source': './src/index.ts', default: './dist/index.js' };
  expect(withoutSources({ exports: { '.': entry }, files: ['dist'] })).toEqual({
    exports: { '.': { default: './dist/index.js' } },
    files: ['dist'],
  });
});
