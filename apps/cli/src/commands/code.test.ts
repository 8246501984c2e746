import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXITS } from '../exit-codes.ts';
import { type } from '../testing/run-program.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-code-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const operator = (name: string, role: string) => ({
  email: `${name}@holdfast.test`,
  role,
  totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
});

function runDev(): void {
  const operators = [operator('adam', 'admin'), operator('fiona', 'finance')];
  mkdirSync(join(folder, '.holdfast'));
  writeFileSync(
    join(folder, '.holdfast/dev.json'),
    JSON.stringify({ api: 'http://127.0.0.1:4400', operators }),
  );
}

test.each(['adam', 'ADAM@holdfast.test', 'admin'])('prints the code of %s', async (name) => {
  runDev();
  const { code, out, err } = await type(`code ${name}`, { folder });
  expect([code, out]).toEqual([EXITS.ok.code, expect.stringMatching(/^\d{6}\n$/)]);
  expect(err).toMatch(
    /^ {2}adam@holdfast\.test; valid for ([1-9]|[12]\d|30) s; can be used once\n$/,
  );
});

test('as JSON it says whose it is and how long it is valid', async () => {
  runDev();
  const { out } = await type('code fiona --json', { folder });
  expect(JSON.parse(out)).toEqual({
    email: 'fiona@holdfast.test',
    code: expect.stringMatching(/^\d{6}$/),
    validSeconds: expect.any(Number),
  });
});

test('an unknown name is refused, and the known names are printed', async () => {
  runDev();
  const { code, err } = await type('code nina', { folder });
  expect(code).toBe(EXITS.usage.code);
  expect(err).toBe('✗ unknown operator nina\n  → operators: adam, fiona\n');
});

test('another server has no codes to print', async () => {
  runDev();
  const { code, err } = await type('--url https://api.example code adam', { folder });
  expect(code).toBe(EXITS.usage.code);
  expect(err).toBe(
    '✗ no operators found\n  → codes are available only for `holdfast dev`: start it in this folder\n',
  );
});
