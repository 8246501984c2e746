//! Brings the database up to this build: safe beside the running previous version, safe to repeat.
import { ConfigurationFault, readConfig } from './config.ts';
import { migrate } from './platform/migrator.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const url = (config.HOLDFAST_MIGRATION_DATABASE_URL ?? config.DATABASE_URL) as string;
  const applied = await migrate(url);
  process.stdout.write(`${JSON.stringify({ applied })}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error instanceof ConfigurationFault ? error.message : error.stack}\n`);
  process.exit(1);
});
