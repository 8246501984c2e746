import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenSecret } from '../listen/secret-file.ts';
import { aReadiness } from '../testing/readiness.ts';
import { prepareFolder, readDevState, removeDevState, writeDevState } from './state-file.ts';

const ready = aReadiness();
const settings = { DATABASE_URL: 'postgres:///x' };

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'holdfast-state-')), '.holdfast');
  prepareFolder(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const file = () => join(folder, 'dev.json');

test('says where the set runs, readable only by the user who started it', () => {
  writeDevState(folder, { ready, settings });
  expect(readDevState(folder)).toEqual({ ...ready, settings, pid: process.pid });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('gives the variables that the SDK and a webhook handler read', () => {
  writeDevState(folder, { ready, settings });
  const path = join(folder, 'dev.env');
  expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({
    HOLDFAST_URL: ready.api,
    HOLDFAST_API_KEY: ready.apiKey,
    HOLDFAST_WEBHOOK_SECRET: listenSecret(join(folder, '..')),
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  removeDevState(folder);
  expect(existsSync(path)).toBe(false);
});

test('closes a file that was open to others', () => {
  writeFileSync(file(), '{}', { mode: 0o644 });
  writeDevState(folder, { ready, settings });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('is kept out of git', () => {
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
});

test('is not believed when its process is gone', () => {
  const gone = 2 ** 22 + 1;
  writeFileSync(file(), JSON.stringify({ ...ready, settings, pid: gone }));
  expect(readDevState(folder)).toBeUndefined();
  writeFileSync(file(), '{"pid":');
  expect(readDevState(folder)).toBeUndefined();
});

test('is removed only by the one that wrote it', () => {
  writeFileSync(file(), JSON.stringify({ ...ready, settings, pid: process.ppid }));
  removeDevState(folder);
  expect(readDevState(folder)?.pid).toBe(process.ppid);
  writeDevState(folder, { ready, settings });
  removeDevState(folder);
  expect(readDevState(folder)).toBeUndefined();
});
