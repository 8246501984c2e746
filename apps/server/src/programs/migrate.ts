//! Migrates the database to this build: safe while the previous version runs, safe to repeat.
import { readConfig } from '../platform/config/config.ts';
import { migrate } from '../platform/database/migrator.ts';
import { runMain } from '../platform/process/run-main.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env, 'migrate');
  const url = (config.HOLDFAST_MIGRATION_DATABASE_URL ?? config.DATABASE_URL) as string;
  const applied = await migrate(url);
  process.stdout.write(`${JSON.stringify({ applied })}\n`);
}

runMain(main);
