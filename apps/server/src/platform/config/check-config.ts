//! What production refuses although each value is readable: open connections, providers without
//! all their settings, weak or published secrets, missing limits, and secrets of another process.
import { hash } from 'node:crypto';
import { isLocalDatabase, isLoopback, isPrivate, isVerifiedDatabase } from './addresses.ts';
import { checkProviders } from './check-providers.ts';
import {
  CLIENTS_LEAVE_MS,
  PORT_CLOSES_MS,
  type Process,
  type Setting,
  settings,
} from './settings.ts';

type Given = Readonly<Record<string, string | undefined>>;

/** Faults of settings that are given in production; each names its setting, and no secret. */
export function checkConfig(given: Given, process: Process): string[] {
  return [
    ...foreignSecrets(given, process),
    ...openUrls(given),
    ...openStores(given),
    ...openEngine(given, process),
    ...checkProviders(given, process),
    ...weakWebhookSecrets(given),
    ...weakKeys(given),
    ...reusedSecrets(given),
    ...missingLimits(given),
    ...shortShutdown(given),
  ];
}

function foreignSecrets(given: Given, process: Process): string[] {
  return (Object.entries(settings) as [string, Setting<unknown>][])
    .filter(
      ([name, { secret, readBy }]) => secret && readBy && given[name] && !readBy.includes(process),
    )
    .map(
      ([name, { readBy = [] }]) =>
        `${name} is a secret of ${readBy.join(' and ')}; the process ${process} must not have it in production`,
    );
}

const HTTPS_ONLY = [
  'HOLDFAST_PUBLIC_URL',
  'HOLDFAST_RETURN_URL',
  'HOLDFAST_HORIZON_URL',
  'HOLDFAST_RPC_URL',
  'HOLDFAST_ESCROW_PROVIDER_URL',
  'HOLDFAST_PAYMENT_PROVIDER_URL',
  'HOLDFAST_CHECKOUT_URL',
];

function openUrls(given: Given): string[] {
  const faults = HTTPS_ONLY.filter((name) => given[name]?.startsWith('http:')).map(
    (name) => `${name} must use https in production`,
  );
  if (given['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    faults.push(
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production; add a private authority by NODE_EXTRA_CA_CERTS',
    );
  return faults;
}

function openStores(given: Given): string[] {
  const faults = ['DATABASE_URL', 'HOLDFAST_MIGRATION_DATABASE_URL']
    .filter((name) => given[name])
    .filter((name) => !isLocalDatabase(given[name] ?? '', given['PGHOST']))
    .filter((name) => !isVerifiedDatabase(given[name] ?? ''))
    .map((name) => `${name} must have sslmode=verify-full in production, unless it is on loopback`);
  const redis = given['REDIS_URL'];
  if (redis && !redis.startsWith('rediss://') && !redis.startsWith('/') && !isLoopback(redis))
    faults.push('REDIS_URL must use rediss:// in production, unless it is on loopback');
  return faults;
}

/** Restate itself has no TLS, so a private network is enough for it. */
function openEngine(given: Given, process: Process): string[] {
  const faults = ['HOLDFAST_ENGINE_INGRESS_URL', 'HOLDFAST_ENGINE_ADMIN_URL']
    .filter((name) => given[name]?.startsWith('http:') && !isPrivate(given[name] ?? ''))
    .map((name) => `${name} must use https in production, unless it is on a private network`);
  const { HOLDFAST_HOST: host, HOLDFAST_ENGINE_WORKER_URL: workerUrl } = given;
  const isServed = process === 'worker' && given['HOLDFAST_ENGINE_ADMIN_URL'];
  const isReachable = [host, workerUrl].some((address) => address && !isLoopback(address));
  if (isServed && isReachable && !given['HOLDFAST_ENGINE_IDENTITY_KEYS'])
    faults.push(
      'HOLDFAST_ENGINE_IDENTITY_KEYS is missing: in production a worker that is reached at a non-loopback address must know its callers',
    );
  return faults;
}

const WEBHOOK_SECRET_BYTES_MIN = 24;

function weakWebhookSecrets(given: Given): string[] {
  const bytesOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length;
  return ['PAYMENT_WEBHOOK_SECRET', 'ESCROW_WEBHOOK_SECRET']
    .filter((name) => given[name])
    .filter((name) => secretsIn(given, name).some((one) => bytesOf(one) < WEBHOOK_SECRET_BYTES_MIN))
    .map((name) => `${name} must have at least ${WEBHOOK_SECRET_BYTES_MIN} bytes in production`);
}

const KEYS = ['HOLDFAST_WALLET_KEYS', 'HOLDFAST_WEBHOOK_KEYS', 'HOLDFAST_OPERATOR_KEYS'];
const DISTINCT_BYTES_MIN = 16;

/** SHA-256 of keys that anyone can read: the default of development, and standards' examples. */
const PUBLISHED = new Set([
  '5d854a6bcae8dbe496e7040f45d970ce74c9e89200bc2af404159dcf8425ab36',
  // The bytes 0 to 31 and 1 to 32, FIPS 197, SP 800-38A, and the specification of GCM.
  '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
  'ae216c2ef5247a3782c135efa279a3e4cdc61094270f5d2be58c6204b7a612c9',
  'b93c72b74bc8487d29827005f80d635918f91bc22b14d7ed05714d58f96702dd',
  '7f70dfd819c3c5826700c209d1633eb5af014210decb7d7ff6d6ebadfa9bad27',
]);

function weakKeys(given: Given): string[] {
  return KEYS.flatMap((name) => {
    const reasons = secretsIn(given, name).flatMap((key) => weaknessOf(Buffer.from(key, 'base64')));
    return [...new Set(reasons)].map((reason) => `${name} ${reason}; generate a new key`);
  });
}

function weaknessOf(key: Buffer): string[] {
  if (PUBLISHED.has(hash('sha256', key, 'hex')))
    return ['must not contain a published key in production'];
  if (new Set(key).size < DISTINCT_BYTES_MIN)
    return ['must not contain a key with few distinct bytes in production'];
  if (key.every((byte) => byte >= 0x20 && byte <= 0x7e))
    return ['must not contain a key of printable characters in production'];
  return [];
}

const OWN_SECRETS = [
  'HOLDFAST_MASTER_KEY_HASH',
  'HOLDFAST_TOKEN_SECRET',
  'HOLDFAST_MEMBER_TOKEN_SECRET',
  'PAYMENT_WEBHOOK_SECRET',
  'ESCROW_WEBHOOK_SECRET',
  ...KEYS,
];

/** A secret that leaks must not give another away. */
function reusedSecrets(given: Given): string[] {
  const firstUse = new Map<string, string>();
  const faults: string[] = [];
  for (const name of OWN_SECRETS)
    for (const secret of secretsIn(given, name)) {
      const text = secret.replace(/^whsec_/, '');
      const other = firstUse.get(text);
      if (other === undefined) firstUse.set(text, name);
      else faults.push(`${name} must not repeat a secret of ${other} in production`);
    }
  return faults;
}

function secretsIn(given: Given, name: string): string[] {
  const value = given[name];
  if (!value) return [];
  if (KEYS.includes(name)) return value.split(',').map((pair) => pair.slice(pair.indexOf(':') + 1));
  return name === 'PAYMENT_WEBHOOK_SECRET' ? value.split(',') : [value];
}

const LIMITS = [
  'HOLDFAST_APPROVAL_LIMIT',
  'HOLDFAST_ADJUSTMENT_LIMIT',
  'HOLDFAST_TREASURY_SHARE',
  'HOLDFAST_USER_PAYOUT_LIMIT',
  'HOLDFAST_USER_PAYOUT_LIMIT_XLM',
  'HOLDFAST_MARKETPLACE_PAYOUT_LIMIT',
  'HOLDFAST_MARKETPLACE_PAYOUT_LIMIT_XLM',
];

function missingLimits(given: Given): string[] {
  return LIMITS.filter((name) => given[name] === 'none').map(
    (name) => `${name} must not be none in production`,
  );
}

/**
 * A request that waits for its operation must get its response from a process that stops, also one
 * that came while the port closed or clients had time to leave.
 */
function shortShutdown(given: Given): string[] {
  const { HOLDFAST_REQUEST_DEADLINE: deadline, HOLDFAST_SHUTDOWN_MS: shutdown } = settings;
  const numberOf = ({ read, defaultIn }: Setting<number>, name: string) =>
    read(given[name] ?? '') ?? defaultIn.production ?? 0;
  const closingMs = PORT_CLOSES_MS + CLIENTS_LEAVE_MS;
  const longest = numberOf(deadline, 'HOLDFAST_REQUEST_DEADLINE') * 1000 + closingMs;
  if (numberOf(shutdown, 'HOLDFAST_SHUTDOWN_MS') > longest) return [];
  return [
    `HOLDFAST_SHUTDOWN_MS must be more than ${longest} in production, which is HOLDFAST_REQUEST_DEADLINE plus ${closingMs / 1000} seconds: a shutdown would cut requests`,
  ];
}
