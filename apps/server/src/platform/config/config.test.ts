import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTemporaryFolder,
  type TemporaryFolder,
} from '../../../../cli/src/temporary-folder.ts';
import { ConfigurationFault, readConfig } from './config.ts';

const fit = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://holdfast_api:pw@db/holdfast?sslmode=verify-full',
  HOLDFAST_MASTER_KEY_HASH: 'a'.repeat(64),
  HOLDFAST_TOKEN_SECRET: 'b'.repeat(40),
  PAYMENT_WEBHOOK_SECRET: 'whsec_payment-secret-of-thirty-two-letters',
  ESCROW_WEBHOOK_SECRET: 'whsec_escrow-secret-of-thirty-two-letters',
  HOLDFAST_PUBLIC_URL: 'https://holdfast.example',
  HOLDFAST_USER_PAYOUT_LIMIT: '1000.00',
  HOLDFAST_USER_PAYOUT_LIMIT_XLM: '0',
  HOLDFAST_MARKETPLACE_PAYOUT_LIMIT: '20000.00',
  HOLDFAST_MARKETPLACE_PAYOUT_LIMIT_XLM: '0',
};

const PAYOUT_LIMITS = Object.keys(fit).filter((name) => name.includes('PAYOUT_LIMIT'));

function useFolder(): { path: string } {
  const folder = { path: '' };
  let temporary: TemporaryFolder;
  beforeAll(() => {
    temporary = createTemporaryFolder('holdfast-secrets');
    folder.path = temporary.path;
  });
  afterAll(() => temporary.remove());
  return folder;
}

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, 'api');
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationFault);
    return (error as ConfigurationFault).faults;
  }
}

describe('reading a valid configuration', () => {
  it('applies defaults to settings that are not set', () => {
    expect(readConfig(fit, 'api')).toMatchObject({
      NODE_ENV: 'production',
      HOLDFAST_PORT: 4400,
      HOLDFAST_RATE_LIMIT: 100,
      HOLDFAST_ADJUSTMENT_LIMIT: 0n,
      HOLDFAST_DESTINATION_COOLING_HOURS: 24,
    });
  });

  it('requires no webhook secrets and no limits in development', () => {
    const { PAYMENT_WEBHOOK_SECRET: _, ESCROW_WEBHOOK_SECRET: __, ...more } = fit;
    const { HOLDFAST_USER_PAYOUT_LIMIT: ___, ...rest } = more;
    expect(readConfig({ ...rest, NODE_ENV: 'development' }, 'api')).toMatchObject({
      HOLDFAST_ADJUSTMENT_LIMIT: null,
      HOLDFAST_USER_PAYOUT_LIMIT: null,
      HOLDFAST_DESTINATION_COOLING_HOURS: 0,
    });
  });
});

describe('variables that Kubernetes adds for services', () => {
  it('are ignored, also with the name of a setting', () => {
    const links = {
      HOLDFAST_PORT: 'tcp://10.0.0.1:4400',
      HOLDFAST_INTERNAL_PORT: 'tcp://10.0.0.1:4401',
      HOLDFAST_SERVICE_HOST: '10.0.0.1',
      HOLDFAST_SERVICE_PORT: '4400',
      HOLDFAST_API_PORT: 'tcp://10.0.0.2:4400',
      HOLDFAST_API_SERVICE_HOST: '10.0.0.2',
      HOLDFAST_API_SERVICE_PORT: '4400',
      HOLDFAST_API_SERVICE_PORT_HTTP: '4400',
      HOLDFAST_API_PORT_4400_TCP: 'tcp://10.0.0.2:4400',
      HOLDFAST_API_PORT_4400_TCP_PROTO: 'tcp',
      HOLDFAST_API_PORT_4400_TCP_PORT: '4400',
      HOLDFAST_API_PORT_4400_TCP_ADDR: '10.0.0.2',
      HOLDFAST_DNS_PORT_53_UDP: 'udp://10.0.0.3:53',
    };
    expect(readConfig({ ...fit, ...links }, 'api')).toEqual(readConfig(fit, 'api'));
  });
});

describe('a secret in a file', () => {
  const folder = useFolder();
  const { HOLDFAST_TOKEN_SECRET: secret, ...rest } = fit;
  const inFile = (name: string, text: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };

  it.each(['', '\n', '\r\n'])('is read without the line end %j', (end) => {
    const path = inFile('token', `${secret}${end}`);
    expect(readConfig({ ...rest, HOLDFAST_TOKEN_SECRET_FILE: path }, 'api')).toEqual(
      readConfig(fit, 'api'),
    );
  });

  it('may be the URL of a store', () => {
    const { DATABASE_URL: url, ...others } = fit;
    const files = {
      DATABASE_URL_FILE: inFile('database', url),
      REDIS_URL_FILE: inFile('redis', 'rediss://cache.example'),
    };
    expect(readConfig({ ...others, ...files }, 'api')).toMatchObject({
      DATABASE_URL: url,
      REDIS_URL: 'rediss://cache.example',
    });
  });

  it('is a fault where it is unclear, missing, empty, wrong, or of another process', () => {
    const path = inFile('token', 'leaky');
    const faultsWith = (env: Record<string, string>) => faultsOf({ ...rest, ...env });
    const name = 'HOLDFAST_TOKEN_SECRET_FILE';
    expect(faultsOf({ ...fit, [name]: path })).toEqual([
      `HOLDFAST_TOKEN_SECRET and ${name} must not both be set`,
    ]);
    expect(faultsWith({ [name]: '/no/such/file' })[0]).toBe(
      `${name} names a file that cannot be read (ENOENT): /no/such/file`,
    );
    expect(faultsWith({ [name]: inFile('empty', '\n') })[0]).toMatch(/names an empty file/);
    expect(faultsWith({ [name]: path })).toEqual([
      'HOLDFAST_TOKEN_SECRET must be at least 32 characters',
    ]);
    const wallet = { HOLDFAST_WALLET_KEYS_FILE: inFile('keys', `v1:${'A'.repeat(43)}=`) };
    expect(faultsOf({ ...fit, ...wallet }).join()).toMatch(/WALLET_KEYS is a secret of worker/);
  });

  it('is no way to read another setting', () => {
    expect(faultsOf({ ...fit, HOLDFAST_PORT_FILE: inFile('port', '1') })).toEqual([
      'unknown setting HOLDFAST_PORT_FILE; check the spelling',
    ]);
  });
});

describe('refusing an unsafe configuration', () => {
  it.each([
    ['without a database', { DATABASE_URL: '' }, /DATABASE_URL is missing/],
    ['without a master key', { HOLDFAST_MASTER_KEY_HASH: '' }, /MASTER_KEY_HASH is missing/],
    [
      'with a master key instead of its hash',
      { HOLDFAST_MASTER_KEY_HASH: 'hfm_secret' },
      /64 hex digits/,
    ],
    ['without a token secret', { HOLDFAST_TOKEN_SECRET: '' }, /TOKEN_SECRET is missing/],
    ['with a short token secret', { HOLDFAST_TOKEN_SECRET: 'short' }, /at least 32/],
    [
      'in production without the payment secret',
      { PAYMENT_WEBHOOK_SECRET: '' },
      /PAYMENT_WEBHOOK_SECRET is missing/,
    ],
    ...PAYOUT_LIMITS.flatMap((name) => [
      [`in production without ${name}`, { [name]: '' }, new RegExp(`^${name} is missing`)] as const,
      [`with ${name} none`, { [name]: 'none' }, new RegExp(`^${name} must not be none`)] as const,
    ]),
    [
      'in production with destinations that do not wait',
      { HOLDFAST_DESTINATION_COOLING_HOURS: '0' },
      /COOLING_HOURS must be at least 1/,
    ],
    [
      'in production without the escrow secret',
      { ESCROW_WEBHOOK_SECRET: '' },
      /ESCROW_WEBHOOK_SECRET is missing/,
    ],
    [
      'with an escrow secret without its prefix',
      { ESCROW_WEBHOOK_SECRET: 'secret-secret' },
      /whsec_/,
    ],
    ['in production without a public URL', { HOLDFAST_PUBLIC_URL: '' }, /PUBLIC_URL is missing/],
    [
      'in production with a public URL in the open',
      { HOLDFAST_PUBLIC_URL: 'http://holdfast.example' },
      /must use https in production/,
    ],
    [
      'with a shutdown that cuts requests',
      { HOLDFAST_SHUTDOWN_MS: '34000' },
      /must be more than 34000/,
    ],
    [
      'with a deadline beyond the shutdown',
      { HOLDFAST_REQUEST_DEADLINE: '35' },
      /more than 39000 in production/,
    ],
    [
      'with a remote database among local ones without TLS',
      { DATABASE_URL: 'postgres://a@127.0.0.1:1,db.example:2/b' },
      /^DATABASE_URL must have sslmode=verify-full/,
    ],
    ['with a host that is a URL', { HOLDFAST_RETURN_HOSTS: 'https://a.example' }, /host names/],
    [
      'in production with open routes',
      { HOLDFAST_COMPAT: 'observed' },
      /is not allowed in production: these routes require an API key there/,
    ],
    [
      'in production without a rate limit',
      { HOLDFAST_RATE_LIMIT: 'off' },
      /must not be off in production/,
    ],
    [
      'in production with a role taken on',
      { HOLDFAST_DATABASE_ROLE: 'holdfast_api' },
      /is not allowed in production, because a session can switch back; connect as holdfast_api/,
    ],
    ['with a setting that does not exist', { HOLDFAST_RATELIMIT: '5' }, /spelling/],
    ['with a port that is none', { HOLDFAST_PORT: '99999' }, /a port/],
    ['with an unknown environment', { NODE_ENV: 'prod' }, /development or production/],
  ] as const)('%s', (_, change, message) => {
    const faults = faultsOf({ ...fit, ...change });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  it('reports all faults at once, without showing a secret', () => {
    const faults = faultsOf({
      NODE_ENV: 'production',
      HOLDFAST_TOKEN_SECRET: 'leaky',
      HOLDFAST_PORT: 'x',
    });
    expect(faults.length).toBeGreaterThanOrEqual(6);
    expect(faults.join()).not.toContain('leaky');
  });
});
