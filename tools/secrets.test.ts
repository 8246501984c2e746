//! No tracked file contains a secret. What only looks like one is listed, with its reason.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSecrets } from './secrets.ts';

const root = join(import.meta.dirname, '..');
/** Hashes of npm's and Debian's packages and of migrations, and pictures. */
const SKIPPED =
  /^package-lock\.json$|^deploy\/image\/debian\.json$|^tools\/migrations\/released\.json$|\.(png|ico|woff2?)$/;
const SELF = 'tools/secrets.test.ts';

/** By the start of the match. */
const FIXTURES: Readonly<Record<string, string>> = {
  QUJDREVGR0hJSktM: 'the public key of development, which production refuses',
  whsec_C2FVsBQI: 'the example of the contract and its documents',
  K5oZfzN95Z9UVu1E: 'a signature in the guide to webhooks',
  rAvfW3dJ: 'a signature in a test of the sandbox, with its published secret',
  'KEY=4c1f7d0e': 'an Idempotency-Key in a document',
  '0123456789ABCDEF': 'an alphabet',
  ABCDEFGHIJKLMNOP: 'an alphabet',
  '123456789ABCDEFG': 'an alphabet',
  d2dfbedc8b053f11: 'hash of the code of an escrow contract in the sandbox',
  '64734d31d026cb3a': 'hash of the code of an escrow contract in the sandbox',
  '0000000000000000': 'a digest of zeros, to be replaced',
  ab12cdef34567890: 'a word that is masked in a test',
  'Environment=HOLDFAST_': 'the name of a setting',
  publickeyv1_w7YH: 'a public key, as Restate prints it',
  hfk_c1_aaaaaaaa: 'a key of one letter in a test',
  'whsec_payment-secret': 'a readable secret in a test',
  'whsec_escrow-secret': 'a readable secret in a test',
  '5d854a6bcae8dbe4': 'SHA-256 of a published key',
  '630dcd2966c43366': 'SHA-256 of a published key',
  ae216c2ef5247a37: 'SHA-256 of a published key',
  b93c72b74bc8487d: 'SHA-256 of a published key',
  '7f70dfd819c3c582': 'SHA-256 of a published key',
};

const found = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  },
)
  .split('\0')
  .filter((path) => path !== '' && path !== SELF && !SKIPPED.test(path))
  .filter((path) => existsSync(join(root, path)))
  .flatMap((path) =>
    findSecrets(readFileSync(join(root, path), 'utf8')).map((secret) => ({ path, ...secret })),
  );

const startOf = (text: string) => Object.keys(FIXTURES).find((start) => text.startsWith(start));

it('no tracked file contains what looks like a secret', () => {
  const unknown = found.filter(({ text }) => startOf(text) === undefined);
  expect(unknown.map(({ path, kind, text }) => `${path}: ${kind}, ${text.slice(0, 6)}…`)).toEqual(
    [],
  );
});

it('every listed fixture is still there', () => {
  const seen = new Set(found.map(({ text }) => startOf(text)));
  expect(Object.keys(FIXTURES).filter((start) => !seen.has(start))).toEqual([]);
});

it.each([
  ['private key', '-----BEGIN EC PRIVATE KEY-----'],
  ['seed of a wallet', `S${'ABCDEFG234567HIJKLMNO'.repeat(3).slice(0, 55)}`],
  ['key of a cloud', 'AKIAABCDEFGHIJKLMNOP'],
  ['token of GitHub', `ghp_${'a1B2'.repeat(9)}`],
  ['token of npm', `npm_${'a1B2'.repeat(9)}`],
  ['live key of a payment service', 'sk_live_abcdefghij'],
  ['key of Holdfast', 'hfm_abcdefghijklmnopqrst'],
  ['webhook secret', `whsec_${'abcd'.repeat(8)}`],
  ['32 bytes in hex', 'deadbeef'.repeat(8)],
  ['32 bytes in base64', `v1:${'abcd'.repeat(10)}abc=`],
  ['random word', 'TOKEN=q7XbL2mNz9Rk4WvTy8JcHs6PfUdE3aGo'],
])('finds a planted %s', (kind, text) => {
  expect(findSecrets(`const value = '${text}';`).map((secret) => secret.kind)).toContain(kind);
});
