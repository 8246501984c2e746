import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findServer } from './find-server.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-find-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DEV = {
  api: 'http://127.0.0.1:4400',
  apiKey: 'hf_dev',
  masterKey: 'hfm_dev',
  sandbox: 'http://127.0.0.1:4500',
  settings: { DATABASE_URL: 'postgres:///dev' },
};

function runDev(): void {
  mkdirSync(join(folder, '.holdfast'));
  writeFileSync(join(folder, '.holdfast/dev.json'), JSON.stringify(DEV));
}

test('without any setting it reports that no server was found', () => {
  expect(() => findServer({}, {}, folder)).toThrow(/^no server found$/);
});

test('the usual address is used last', () => {
  expect(findServer({}, {}, folder, 'http://127.0.0.1:4400').url).toBe('http://127.0.0.1:4400');
  expect(findServer({ url: 'http://a' }, {}, folder, 'http://b').url).toBe('http://a');
});

test('settings of the dev set count, not those of the shell', () => {
  runDev();
  const env = { DATABASE_URL: 'postgres:///mine', REDIS_URL: 'redis://here' };
  expect(findServer({}, env, folder).settings).toMatchObject({
    DATABASE_URL: 'postgres:///dev',
    REDIS_URL: 'redis://here',
  });
});

test('flags win over the environment', () => {
  const env = { HOLDFAST_URL: 'http://a', HOLDFAST_API_KEY: 'hf_a' };
  expect(findServer({ url: 'http://b/', apiKey: 'hf_b' }, env, folder)).toMatchObject({
    url: 'http://b',
    apiKey: 'hf_b',
    from: '--url',
  });
  expect(findServer({}, env, folder)).toMatchObject({ url: 'http://a', apiKey: 'hf_a' });
});

test('the dev set of the folder, or of one above it, is found', () => {
  runDev();
  mkdirSync(join(folder, 'shop/src'), { recursive: true });
  expect(findServer({}, {}, join(folder, 'shop/src'))).toMatchObject({
    url: DEV.api,
    apiKey: DEV.apiKey,
    masterKey: DEV.masterKey,
    sandbox: DEV.sandbox,
    settings: DEV.settings,
    from: join(folder, '.holdfast/dev.json'),
  });
});

test('keys of the dev set never go to another server', () => {
  runDev();
  const server = findServer({ url: 'https://api.example' }, {}, folder);
  expect([server.apiKey, server.masterKey, server.sandbox]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(findServer({ url: 'http://localhost:4400' }, {}, folder).apiKey).toBe(DEV.apiKey);
});

test('a URL may end with the path of the API; an invalid URL is refused', () => {
  expect(findServer({ url: 'http://a/api/v1/' }, {}, folder).url).toBe('http://a');
  expect(() => findServer({ url: 'api.example' }, {}, folder)).toThrow(
    /^invalid server URL api\.example$/,
  );
});
