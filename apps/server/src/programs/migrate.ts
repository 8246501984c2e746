//! Migrates the database to this build: safe while the previous version runs, safe to repeat.
import { readConfig } from '../platform/config/config.ts';
import { writableUrl } from '../platform/database/database-client.ts';
import { migrate } from '../platform/database/migrator.ts';
import { untilReachable } from '../platform/database/reachable.ts';
import { createLog } from '../platform/process/log.ts';
import { runMain } from '../platform/process/run-main.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env, 'migrate');
  const url = (config.HOLDFAST_MIGRATION_DATABASE_URL ?? config.DATABASE_URL) as string;
  await untilReachable(() => writableUrl(url));
  const log = createLog(config.HOLDFAST_LOG_LEVEL, 'migrate');
  const applied = await migrate(await writableUrl(url), { log });
  process.stdout.write(`${JSON.stringify({ applied })}\n`);
}

runMain(main);
