//! The api process: reads its configuration, checks the database, serves, and shuts down
//! gracefully.
import { openMemberMarketplace } from './access/open-member-marketplace.ts';
import { readConfig } from './config.ts';
import { buildServer } from './http/server.ts';
import { checkDatabase } from './platform/boot-checks.ts';
import { serveReadiness } from './platform/readiness.ts';
import { runMain } from './platform/run-main.ts';
import { stopOnSignal } from './platform/shutdown.ts';
import { serveSites } from './sites.ts';
import { serveSurfaceA } from './surface-a/routes.ts';
import { serveSurfaceB } from './surface-b/routes.ts';
import { clockOf, hasMembers, identify, wire } from './wire.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const app = wire(config, 'api', await clockOf(config));
  await checkDatabase(app.pool, config, app.log);
  const http = buildServer({ ...app, identify: (bearer) => identify(app, bearer) });
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
