import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTemporaryFolder } from './temporary-folder.ts';

const script = (under: string, how: string) => `
  import { writeFileSync } from 'node:fs';
  import { createTemporaryFolder } from
    ${JSON.stringify(new URL('./temporary-folder.ts', import.meta.url).href)};
  const { path } = createTemporaryFolder('left', ${JSON.stringify(under)});
  writeFileSync(path + '/file', '');
  process.stdout.write(path);
  ${how}
`;

test.each([
  ['an exit', 'process.exit(3);'],
  ['an uncaught error', "throw new Error('planted');"],
])('%s leaves no folder behind for long', async (_name, how) => {
  const under = mkdtempSync(join(tmpdir(), 'holdfast-temporary-'));
  onTestFinished(() => rmSync(under, { recursive: true }));
  const args = ['--input-type=module-typescript', '--eval', script(under, how)];
  const { stdout: path } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(path).toMatch(/left-/);
  await expect.poll(() => existsSync(path), { timeout: 10_000 }).toBe(false);
});

test('what is removed is gone at once', () => {
  const folder = createTemporaryFolder('left');
  writeFileSync(join(folder.path, 'file'), '');
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});
