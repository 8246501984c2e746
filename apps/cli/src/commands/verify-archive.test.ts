import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type } from '../testing/run-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const HASH = 'ab'.repeat(32);
const segment = `{"chain":"platform","position":0,"hash":"${'00'.repeat(32)}"}\n[1,"aud_1","${HASH}"]\n`;
const head = JSON.stringify({
  format: 1,
  number: 1,
  at: '2026-01-02T00:00:00.000Z',
  previous: null,
  segment: createHash('sha256').update(segment).digest('hex'),
  chains: [{ chain: 'platform', position: 1, hash: HASH }],
});
const signature = sign(null, Buffer.from(head), privateKey).toString('base64');
writeFileSync(join(folder, 'head-000000000001.json'), `${head}\n${signature}\n`);
const writeSegment = (text: string) =>
  writeFileSync(join(folder, 'segment-000000000001.jsonl'), text);
const LINE = `verify-archive ${folder} --key ${KEY}`;

test('verify-archive exits with 0 for a sound archive, and prints anchors as JSON', async () => {
  writeSegment(segment);
  const { code, out } = await type(LINE);
  expect([code, out]).toEqual([0, expect.stringContaining('PASSED: 1 head, 1 link, up to 2026')]);
  expect(JSON.parse((await type(`${LINE} --json`)).out)).toMatchObject({
    marketplaceId: 'platform',
    position: 1,
    hash: HASH,
  });
});

test('verify-archive exits with 1 and names the first fault', async () => {
  writeSegment(segment.replace('ab', 'cd'));
  const { code, err } = await type(LINE);
  expect([code, err]).toEqual([1, expect.stringContaining('segment-000000000001.jsonl')]);
});

test.each([
  ['no such folder', `verify-archive ${folder}.gone --key ${KEY}`],
  ['an empty folder', `verify-archive ${tmpdir()} --key ${KEY}`],
  ['no key', `verify-archive ${folder}`],
  ['another key', `verify-archive ${folder} --key x`],
])('verify-archive exits with 2 for unusable input: %s', async (_, line) => {
  expect((await type(line)).code).toBe(2);
});
