//! The api process: reads its configuration, checks the database, serves, and shuts down
//! gracefully.
import { openMemberMarketplace } from '../access/marketplaces/open-member-marketplace.ts';
import { watchClients } from '../api/http/closing/clients.ts';
import { buildServer } from '../api/http/server.ts';
import { serveSites } from '../api/http/sites/sites.ts';
import { serveSurfaceA } from '../api/surface-a/routes.ts';
import { serveSurfaceB } from '../api/surface-b/routes.ts';
import { clockOf, hasMembers, identify, wire } from '../app/wire.ts';
import { internalAddress, readConfig } from '../platform/config/config.ts';
import { checkDatabase } from '../platform/database/boot-checks.ts';
import { serveInternal } from '../platform/process/internal-server.ts';
import { runMain } from '../platform/process/run-main.ts';
import { stopOnSignal } from '../platform/process/shutdown.ts';
import { checkRedis } from '../platform/redis.ts';
import { watchEventLoop } from '../platform/telemetry/event-loop.ts';
import { metricsText } from '../platform/telemetry/metrics.ts';
import { startTracing } from '../platform/telemetry/otlp.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env, 'api');
  const tracing = await startTracing(config, 'api');
  const app = wire(config, 'api', await clockOf(config));
  const internal = await serveInternal({
    ...internalAddress(config),
    health: app.health,
    metrics: metricsText,
  });
  await checkRedis(config.REDIS_URL);
  await checkDatabase(app, 'api');
  await app.writes.start();
  const http = buildServer({ ...app, identify: (...sent) => identify(app, ...sent) });
  serveSurfaceA(http, app);
  if (hasMembers(app)) {
    await openMemberMarketplace(app, app.members.marketplaceId);
    serveSurfaceB(http, app);
  }
  serveSites(http, config);
  const clients = watchClients(http);
  const url = await http.listen({
    host: config.HOLDFAST_HOST,
    port: config.HOLDFAST_PORT,
  });
  internal.markStarted();
  watchEventLoop();
  stopOnSignal(app.log, config, {
    drain: () => internal.markDraining(),
    stop: async (outOfTime) => {
      await clients.leave(outOfTime);
      await http.close();
      await app.close();
      await tracing.close();
      await internal.close();
    },
  });
  app.log.info({ url, internalUrl: internal.url }, 'api started');
  // The only line on standard output: the parent process reads the port from it.
  process.stdout.write(`${JSON.stringify({ listening: url, internal: internal.url })}\n`);
}

runMain(main);
