//! The settings of a sound production, and what it refuses after a change of them.
import { expect } from 'vitest';
import { ConfigurationFault, readConfig } from '../platform/config/config.ts';
import { type Process, settings } from '../platform/config/settings.ts';

export const key = (salt: number, step = 37) =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => (at * step + salt) % 256)).toString('base64');
const PAYOUT_LIMITS = Object.keys(settings).filter((name) => name.includes('_PAYOUT_LIMIT'));
const IDENTITY = 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f';

const shared = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://holdfast_api:database-password@db.example/holdfast?sslmode=verify-full',
  REDIS_URL: 'rediss://:redis-password@cache.example',
  HOLDFAST_PUBLIC_URL: 'https://holdfast.example',
  HOLDFAST_HORIZON_URL: 'https://horizon.example',
  HOLDFAST_RPC_URL: 'https://rpc.example',
  HOLDFAST_NETWORK_PASSPHRASE: 'Public Global Stellar Network ; September 2015',
  HOLDFAST_USDC_ISSUER: `G${'A'.repeat(55)}`,
  HOLDFAST_ESCROW_PROVIDER_URL: 'https://escrow.example',
  HOLDFAST_ESCROW_PROVIDER_KEY: 'key-of-the-escrow-provider',
  HOLDFAST_PAYMENT_PROVIDER_URL: 'https://payments.example',
  HOLDFAST_PAYMENT_PROVIDER_KEY: 'key-of-the-payment-provider',
  HOLDFAST_PAYMENT_PROVIDER_SECRET: 'secret-of-the-payment-provider',
  HOLDFAST_CHECKOUT_URL: 'https://pay.example/{id}',
  HOLDFAST_ENGINE_INGRESS_URL: 'http://restate:8080',
  HOLDFAST_WEBHOOK_KEYS: `v2:${key(1)},v1:${key(2)}`,
  HOLDFAST_ADJUSTMENT_LIMIT: '100.00',
};

/** Of each process, without a fault. */
export const good: Readonly<Record<Process, Readonly<Record<string, string>>>> = {
  api: {
    ...shared,
    HOLDFAST_MASTER_KEY_HASH: 'a'.repeat(64),
    HOLDFAST_TOKEN_SECRET: 'b'.repeat(40),
    HOLDFAST_SURFACE_B_MARKETPLACE: 'mkt_01k00000000000000000',
    HOLDFAST_MEMBER_TOKEN_SECRET: 'c'.repeat(40),
    PAYMENT_WEBHOOK_SECRET: `whsec_${key(3).slice(0, 32)},${key(4).slice(0, 32)}`,
    ESCROW_WEBHOOK_SECRET: `whsec_${key(5).slice(0, 32)}`,
    HOLDFAST_OPERATOR_KEYS: `v1:${key(6)}`,
    ...Object.fromEntries(PAYOUT_LIMITS.map((name) => [name, '1000.00'])),
  },
  worker: {
    ...shared,
    HOLDFAST_HOST: '10.0.0.7',
    HOLDFAST_ENGINE_ADMIN_URL: 'http://restate.internal:9070',
    HOLDFAST_ENGINE_IDENTITY_KEYS: IDENTITY,
    HOLDFAST_WALLET_KEYS: `v1:${key(7)}`,
    HOLDFAST_ESCROW_FACTORY: `C${'A'.repeat(55)}`,
    HOLDFAST_ESCROW_WASM_SINGLE: '1'.repeat(64),
    HOLDFAST_ESCROW_WASM_MULTI: '2'.repeat(64),
    HOLDFAST_AUDIT_EXPORT: 'file:/var/lib/holdfast/audit',
    HOLDFAST_AUDIT_SIGNING_KEY: `MC4CAQAwBQYDK2VwBCIEI${key(8).slice(0, 43)}`,
  },
  migrate: {
    NODE_ENV: 'production',
    DATABASE_URL: shared.DATABASE_URL,
    HOLDFAST_MIGRATION_DATABASE_URL: 'postgres://owner@/holdfast?host=/run/postgresql',
  },
  'rotate-wallet-keys': {
    NODE_ENV: 'production',
    DATABASE_URL: shared.DATABASE_URL,
    HOLDFAST_MIGRATION_DATABASE_URL: 'postgres://owner@127.0.0.1/holdfast',
    HOLDFAST_WALLET_KEYS: `v1:${key(7)}`,
  },
};

/** With one change. */
export function faultsOf(process: Process, change: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...good[process], ...change }, process);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationFault);
    return (error as ConfigurationFault).faults;
  }
}
