import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cursorFile } from './cursor-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-cursor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const route = { from: 'http://a', to: 'http://b/hooks', whose: 'mkt_1' };

test('keeps the last cursor, and says whose it is', () => {
  const file = cursorFile(folder, route);
  expect(file.read()).toBeUndefined();
  file.write('one');
  file.write('two');
  expect(cursorFile(folder, route).read()).toBe('two');
  expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual({
    cursor: 'two',
    from: 'http://a',
    to: 'http://b/hooks',
  });
  expect(readdirSync(dirname(file.path))).toHaveLength(1);
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
});

test('another server, handler or marketplace has another file', () => {
  const own = cursorFile(folder, route).path;
  for (const other of [{ from: 'http://c' }, { to: 'http://c' }, { whose: 'mkt_2' }])
    expect(cursorFile(folder, { ...route, ...other }).path).not.toBe(own);
});

test('a file that is no cursor counts as none', () => {
  const file = cursorFile(folder, route);
  file.write('one');
  writeFileSync(file.path, '{"cur');
  expect(file.read()).toBeUndefined();
});
