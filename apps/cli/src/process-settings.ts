//! The settings that each process of a local set is started with: its own secrets, and no others.

/** Which processes read a secret; the server's settings declare the same, and a test compares. */
export const SECRET_READERS: Readonly<Record<string, readonly string[]>> = {
  HOLDFAST_MIGRATION_DATABASE_URL: ['migrate', 'rotate-wallet-keys'],
  REDIS_URL: ['api', 'worker'],
  HOLDFAST_MASTER_KEY_HASH: ['api'],
  HOLDFAST_TOKEN_SECRET: ['api'],
  PAYMENT_WEBHOOK_SECRET: ['api'],
  ESCROW_WEBHOOK_SECRET: ['api'],
  HOLDFAST_COMPAT_KEY: ['api'],
  HOLDFAST_MEMBER_TOKEN_SECRET: ['api'],
  HOLDFAST_OPERATOR_KEYS: ['api'],
  HOLDFAST_AUDIT_SIGNING_KEY: ['worker'],
  HOLDFAST_WALLET_KEYS: ['worker', 'rotate-wallet-keys'],
  HOLDFAST_ESCROW_PROVIDER_KEY: ['api', 'worker'],
  HOLDFAST_PAYMENT_PROVIDER_KEY: ['api', 'worker'],
  HOLDFAST_PAYMENT_PROVIDER_SECRET: ['api', 'worker'],
  HOLDFAST_WEBHOOK_KEYS: ['api', 'worker'],
};

/**
 * The database login of each process. A local set connects as the owner and switches to it, since
 * the PostgreSQL of a development machine has no passwords for them.
 */
export const LOGINS = { api: 'holdfast_api', worker: 'holdfast_worker' } as const;

export function settingsFor(
  process: string,
  all: Readonly<Record<string, string>>,
): Record<string, string> {
  const isRead = (name: string) => SECRET_READERS[name]?.includes(process) ?? true;
  return Object.fromEntries(Object.entries(all).filter(([name]) => isRead(name)));
}
