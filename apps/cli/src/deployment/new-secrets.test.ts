import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SECRET_READERS } from '../process-settings.ts';
import { base58, newIdentityKey } from './identity-key.ts';
import { deploymentSecrets, withLogin } from './new-secrets.ts';

const options = {
  database: 'postgres://db.internal/holdfast',
  owner: 'ada',
  redis: undefined,
};

describe('the secrets of a deployment', () => {
  it('are in the folders of processes that read them, and in no others', () => {
    const { api = {}, worker = {}, migrate = {} } = deploymentSecrets(options);
    for (const [process, files] of Object.entries({ api, worker, migrate }))
      for (const name of Object.keys(files))
        expect(SECRET_READERS[name] ?? [process], name).toContain(process);
    expect(Object.keys(migrate)).toEqual(['DATABASE_URL', 'HOLDFAST_MIGRATION_DATABASE_URL']);
    expect(worker['HOLDFAST_WALLET_KEYS']).toMatch(/^v1:/);
    expect(api['HOLDFAST_WEBHOOK_KEYS']).toBe(worker['HOLDFAST_WEBHOOK_KEYS']);
  });

  it('give each process a login of its own', () => {
    const { api, worker, migrate, postgres } = deploymentSecrets(options);
    const password = postgres?.['api_password'];
    const url = `postgres://holdfast_api:${password}@db.internal/holdfast`;
    expect(api?.['DATABASE_URL']).toBe(url);
    expect(worker?.['DATABASE_URL']).toContain('//holdfast_worker:');
    expect(migrate?.['HOLDFAST_MIGRATION_DATABASE_URL']).toContain('//ada:');
  });
});

it.each([
  ['postgres:///holdfast?host=/run/postgresql', 'postgres://a:b@/holdfast?host=/run/postgresql'],
  ['postgres://x:y@db/holdfast', 'postgres://a:b@db/holdfast'],
])('puts a login into %s', (url, expected) => {
  expect(withLogin(url, 'a', 'b')).toBe(expected);
});

it.each([
  ['', ''],
  ['00', '1'],
  ['0000287fb4cd', '11233QC4'],
  ['73696d706c792061206c6f6e6720737472696e67', '2cFupjhnEsSn59qHXstmK2ffpLv2'],
])('writes %j in base 58 as %j', (hex, text) => {
  expect(base58(Buffer.from(hex, 'hex'))).toBe(text);
});

it('has a public identity that belongs to the private one', () => {
  const { privatePem, publicKey } = newIdentityKey();
  const { x = '' } = createPublicKey(createPrivateKey(privatePem)).export({ format: 'jwk' });
  expect(publicKey).toBe(`publickeyv1_${base58(Buffer.from(x, 'base64url'))}`);
});
