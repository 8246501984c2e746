import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOf, good, key } from '../../testing/production-settings.ts';
import { readConfig } from './config.ts';
import { type Process, type Setting, settings } from './settings.ts';

const remote = 'postgres://holdfast_api:database-password@db.example/holdfast';
const printable = Buffer.from('Correct horse battery staple 123').toString('base64');
const published = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=';

describe('production refuses', () => {
  it.each<[string, Process, Record<string, string>, ...RegExp[]]>([
    [
      'http to Horizon',
      'worker',
      { HOLDFAST_HORIZON_URL: 'http://127.0.0.1:8000' },
      /HORIZON_URL must use https/,
    ],
    ['http to RPC', 'worker', { HOLDFAST_RPC_URL: 'http://rpc.example' }, /RPC_URL must use https/],
    [
      'http to the escrow provider',
      'api',
      { HOLDFAST_ESCROW_PROVIDER_URL: 'http://escrow.example' },
      /ESCROW_PROVIDER_URL must use https/,
    ],
    [
      'http to the payment provider and its page',
      'api',
      {
        HOLDFAST_PAYMENT_PROVIDER_URL: 'http://a.example',
        HOLDFAST_CHECKOUT_URL: 'http://a.example/{id}',
      },
      /PAYMENT_PROVIDER_URL must use https/,
      /CHECKOUT_URL must use https/,
    ],
    [
      'certificates that do not count',
      'worker',
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      /REJECT_UNAUTHORIZED must not be 0/,
    ],
    [
      'a remote database without TLS',
      'api',
      { DATABASE_URL: remote },
      /^DATABASE_URL must have sslmode=verify-full/,
    ],
    [
      'a remote database with TLS that verifies nothing',
      'api',
      { DATABASE_URL: `${remote}?sslmode=require` },
      /^DATABASE_URL must have sslmode=verify-full/,
    ],
    [
      'a database mode that a later one weakens',
      'api',
      { DATABASE_URL: `${remote}?sslmode=verify-full&sslmode=disable` },
      /^DATABASE_URL must have sslmode=verify-full/,
    ],
    [
      'a loopback database that a parameter moves',
      'api',
      { DATABASE_URL: 'postgres://a@127.0.0.1/b?host=db.example' },
      /^DATABASE_URL must have sslmode=verify-full/,
    ],
    [
      'a remote database by PGHOST',
      'api',
      { DATABASE_URL: 'postgres:///b', PGHOST: 'db.example' },
      /^DATABASE_URL must have sslmode=verify-full/,
    ],
    [
      'a remote database of the owner without TLS',
      'migrate',
      { HOLDFAST_MIGRATION_DATABASE_URL: remote },
      /^HOLDFAST_MIGRATION_DATABASE_URL must have/,
    ],
    [
      'remote Redis without TLS',
      'worker',
      { REDIS_URL: 'redis://:redis-password@cache.example' },
      /REDIS_URL must use rediss/,
    ],
    [
      'a short payment secret beside a long one',
      'api',
      { PAYMENT_WEBHOOK_SECRET: `whsec_${key(3)},whsec_${key(4).slice(0, 31)}` },
      /PAYMENT_WEBHOOK_SECRET must have at least 24 bytes/,
    ],
    [
      'a short escrow secret',
      'api',
      { ESCROW_WEBHOOK_SECRET: 'whsec_short-secret' },
      /ESCROW_WEBHOOK_SECRET must have at least 24 bytes/,
    ],
    [
      'a key with few distinct bytes',
      'worker',
      { HOLDFAST_WALLET_KEYS: `v1:${key(0, 64)}` },
      /WALLET_KEYS must not contain a key with few distinct bytes/,
    ],
    [
      'a key of printable characters',
      'api',
      { HOLDFAST_OPERATOR_KEYS: `v1:${printable}` },
      /OPERATOR_KEYS must not contain a key of printable characters/,
    ],
    [
      'the public key of development',
      'api',
      { HOLDFAST_OPERATOR_KEYS: `dev:${published}` },
      /OPERATOR_KEYS must not contain a published key/,
    ],
    [
      'the example key of a standard',
      'worker',
      { HOLDFAST_WALLET_KEYS: `v1:${key(0, 1)}` },
      /WALLET_KEYS must not contain a published key/,
    ],
    [
      'a key in two settings',
      'worker',
      { HOLDFAST_WALLET_KEYS: `v1:${key(2)}` },
      /WEBHOOK_KEYS must not repeat a secret of HOLDFAST_WALLET_KEYS/,
    ],
    [
      'a key under two versions',
      'worker',
      { HOLDFAST_WALLET_KEYS: `v2:${key(9)},v1:${key(9)}` },
      /WALLET_KEYS must not repeat a secret of HOLDFAST_WALLET_KEYS/,
    ],
    [
      'no limits',
      'api',
      {
        HOLDFAST_APPROVAL_LIMIT: 'none',
        HOLDFAST_ADJUSTMENT_LIMIT: 'none',
        HOLDFAST_TREASURY_SHARE: 'none',
      },
      /APPROVAL_LIMIT must not be none/,
      /ADJUSTMENT_LIMIT must not/,
      /TREASURY_SHARE must not/,
    ],
    [
      'a worker that any caller reaches',
      'worker',
      { HOLDFAST_HOST: '0.0.0.0', HOLDFAST_ENGINE_IDENTITY_KEYS: '' },
      /IDENTITY_KEYS is missing/,
    ],
    [
      'a worker that any caller reaches through a balancer',
      'worker',
      {
        HOLDFAST_HOST: '127.0.0.1',
        HOLDFAST_ENGINE_WORKER_URL: 'http://workers.internal',
        HOLDFAST_ENGINE_IDENTITY_KEYS: '',
      },
      /IDENTITY_KEYS is missing/,
    ],
    [
      'Restate over a public network without TLS',
      'api',
      { HOLDFAST_ENGINE_INGRESS_URL: 'http://restate.example.com:8080' },
      /INGRESS_URL must use https/,
    ],
    [
      'Restate at a public address without TLS',
      'worker',
      { HOLDFAST_ENGINE_ADMIN_URL: 'http://203.0.113.4:9070' },
      /ADMIN_URL must use https/,
    ],
  ])('%s', (_, process, change, ...expected) => {
    const faults = faultsOf(process, change);
    expect(faults).toHaveLength(expected.length);
    for (const [at, pattern] of expected.entries()) expect(faults[at]).toMatch(pattern);
  });

  const secrets = (Object.entries(settings) as [string, Setting<unknown>][]).flatMap(
    ([name, { secret, readBy }]) =>
      (['api', 'worker', 'migrate'] as const)
        .filter((process) => secret && readBy && !readBy.includes(process))
        .map((process) => [name, process] as const),
  );
  it.each(secrets)('%s in the %s', (name, process) => {
    const value =
      Object.values(good).find((each) => each[name])?.[name] ?? 'hfk_c1_aaaaaaaaaaaaaaaaaaaa';
    const faults = faultsOf(process, { [name]: value });
    expect(faults.filter((fault) => !/repeat/.test(fault))).toEqual([
      expect.stringMatching(`^${name} is a secret of .+; the process ${process} must not have it`),
    ]);
  });
});

describe('production accepts', () => {
  it.each(Object.keys(good) as Process[])('what the %s needs', (process) => {
    expect(faultsOf(process, {})).toEqual([]);
  });

  it.each<[string, Process, Record<string, string>]>([
    [
      'stores on loopback without TLS',
      'api',
      { DATABASE_URL: 'postgres://a:b@127.0.0.1:5432/c', REDIS_URL: 'redis://[::1]:6379' },
    ],
    ['a database without a host', 'worker', { DATABASE_URL: 'postgres:///holdfast' }],
    [
      'a loopback worker without identity keys',
      'worker',
      { HOLDFAST_HOST: '127.0.0.1', HOLDFAST_ENGINE_IDENTITY_KEYS: '' },
    ],
    ['an api that listens everywhere', 'api', { HOLDFAST_HOST: '0.0.0.0' }],
    ['a private Restate', 'api', { HOLDFAST_ENGINE_INGRESS_URL: 'http://10.1.2.3:8080' }],
  ])('%s', (_, process, change) => {
    expect(faultsOf(process, change)).toEqual([]);
  });

  it('in development all of it, in one process', () => {
    const all = { ...good.worker, ...good.api, ...good['rotate-wallet-keys'] };
    const change = { HOLDFAST_HORIZON_URL: 'http://127.0.0.1', DATABASE_URL: remote };
    expect(() => readConfig({ ...all, ...change, NODE_ENV: 'development' }, 'api')).not.toThrow();
  });
});

it('ends the process with every fault at once, and shows no secret', () => {
  const script = fileURLToPath(new URL('../../programs/migrate.ts', import.meta.url));
  const change = { DATABASE_URL: remote, HOLDFAST_TREASURY_SHARE: 'none' };
  const env = { ...good.migrate, ...change, HOLDFAST_WALLET_KEYS: `v1:${published}` };
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--conditions=@holdfast/source', script],
    { env: { ...env, PATH: process.env['PATH'] }, encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^the configuration has 4 errors:\n( {2}- .+\n){4}$/);
  for (const secret of ['database-password', published]) expect(stderr).not.toContain(secret);
});
