//! The api process: reads its configuration, checks the database, serves, and shuts down
//! gracefully.
import { openMemberMarketplace } from '../access/marketplaces/open-member-marketplace.ts';
import { buildServer } from '../api/http/server.ts';
import { serveSites } from '../api/http/sites/sites.ts';
import { serveSurfaceA } from '../api/surface-a/routes.ts';
import { serveSurfaceB } from '../api/surface-b/routes.ts';
import { clockOf, hasMembers, identify, wire } from '../app/wire.ts';
import { readConfig } from '../platform/config/config.ts';
import { checkDatabase } from '../platform/database/boot-checks.ts';
import { serveReadiness } from '../platform/process/readiness.ts';
import { runMain } from '../platform/process/run-main.ts';
import { stopOnSignal } from '../platform/process/shutdown.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env, 'api');
  const app = wire(config, 'api', await clockOf(config));
  await checkDatabase(app, 'api');
  const http = buildServer({ ...app, identify: (...sent) => identify(app, ...sent) });
  serveSurfaceA(http, app);
  if (hasMembers(app)) {
    await openMemberMarketplace(app, app.members.marketplaceId);
    serveSurfaceB(http, app);
  }
  serveSites(http, config);
  const url = await http.listen({
    host: config.HOLDFAST_HOST,
    port: config.HOLDFAST_PORT,
  });
  const readiness = await serveReadiness(config.HOLDFAST_INTERNAL_PORT, app.health);
  stopOnSignal(app.log, config.HOLDFAST_SHUTDOWN_MS, async () => {
    await readiness.close();
    await http.close();
    await app.close();
  });
  app.log.info({ url }, 'api started');
  // The only line on standard output: the parent process reads the port from it.
  process.stdout.write(`${JSON.stringify({ listening: url })}\n`);
}

runMain(main);
