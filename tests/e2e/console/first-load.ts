//! The compressed size of all files that a browser loads for sign-in and Home.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BUILT } from './build.ts';
import type { Environment } from './environment.ts';
import { settled } from './operator.ts';

const BYTES_MAX = 300_000;
/** Without a new file for this long, loading has finished. */
const STILL_MS = 2_000;

export async function firstLoad(environment: Environment): Promise<void> {
  const vera = await environment.arrival('vera');
  const paths = new Set<string>();
  const plain: string[] = [];
  vera.page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/console/')) return;
    const name = pathname.slice('/console/'.length) || 'index.html';
    paths.add(name);
    const { 'content-encoding': encoding } = response.headers();
    if (/\.(js|css)$/.test(name) && encoding === undefined) plain.push(name);
  });
  await vera.signIn();
  await settled(vera.page);
  // Charts load after everything else.
  for (let before = 0; before < paths.size; ) {
    before = paths.size;
    await vera.page.waitForTimeout(STILL_MS);
  }
  const sizes = [...paths].map((path) => gzipSync(readFileSync(join(BUILT, path))).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  process.stdout.write(`          ${paths.size} files, ${bytes} bytes gzipped\n`);
  assert.ok(paths.size > 2, 'no files were loaded');
  assert.ok(bytes < BYTES_MAX, `${bytes} bytes are more than ${BYTES_MAX}`);
  const large = plain.filter((path) => readFileSync(join(BUILT, path)).length > 1024);
  assert.deepEqual(large, [], 'these files are not compressed');
  environment.store('vera', vera);
}
