//! What a browser loads before somebody has signed in and sees home, in compressed bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BUILT } from './build.ts';
import { settled } from './operator.ts';
import type { Stage } from './stage.ts';

const BYTES_MAX = 300_000;
/** Nothing new for so long: everything is there. */
const STILL_MS = 2_000;

export async function firstLoad(stage: Stage): Promise<void> {
  const vera = await stage.arrival('vera');
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
  // Charts come after everything else.
  for (let before = 0; before < paths.size; ) {
    before = paths.size;
    await vera.page.waitForTimeout(STILL_MS);
  }
  const sizes = [...paths].map((path) => gzipSync(readFileSync(join(BUILT, path))).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  process.stdout.write(`          ${paths.size} files, ${bytes} bytes gzipped\n`);
  assert.ok(paths.size > 2, 'something was loaded');
  assert.ok(bytes < BYTES_MAX, `${bytes} bytes are more than ${BYTES_MAX}`);
  const large = plain.filter((path) => readFileSync(join(BUILT, path)).length > 1024);
  assert.deepEqual(large, [], 'these came as they are');
  stage.keep('vera', vera);
}
