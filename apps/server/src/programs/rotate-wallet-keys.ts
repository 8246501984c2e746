//! `npm run rotate:wallet-keys`: re-wraps the keys of all wallets with the first of
//! HOLDFAST_WALLET_KEYS. Put the new key first, run it, then remove the old one from the
//! processes: a restored backup still needs it.
import pg from 'pg';
import { rotateWalletKeys } from '../accounts/custody/rotate-wallet-keys.ts';
import { readConfig } from '../platform/config/config.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import { runMain } from '../platform/process/run-main.ts';
import { localKeyWrapper } from '../providers/signing/key-wrapper.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env, 'rotate-wallet-keys');
  if (config.HOLDFAST_WALLET_KEYS === undefined) throw new Error('HOLDFAST_WALLET_KEYS is missing');
  const connectionString = config.HOLDFAST_MIGRATION_DATABASE_URL ?? config.DATABASE_URL;
  const owner = new pg.Pool({ connectionString, max: 1, Client: DatabaseClient });
  const rotated = await rotateWalletKeys(owner, localKeyWrapper(config.HOLDFAST_WALLET_KEYS));
  await owner.end();
  process.stdout.write(`${JSON.stringify({ rotated })}\n`);
}

runMain(main);
