//! The worker process: sagas, the sequencer and the background jobs, until it is stopped.

import { custodyJobs, jobs } from '../app/jobs.ts';
import { sagas } from '../app/sagas.ts';
import { clockOf } from '../app/wire.ts';
import { wireWorker } from '../app/wire-worker.ts';
import {
  endpointSettings,
  resourceObject,
  serveRestate,
  type VirtualObject,
} from '../engine/restate-endpoint.ts';
import { sagasOf } from '../engine/saga.ts';
import { internalAddress, readConfig } from '../platform/config/config.ts';
import { checkDatabase } from '../platform/database/boot-checks.ts';
import { isNeedMet } from '../platform/database/lineage.ts';
import { serveInternal } from '../platform/process/internal-server.ts';
import { runMain } from '../platform/process/run-main.ts';
import { runJobs } from '../platform/process/scheduler.ts';
import { stopOnSignal } from '../platform/process/shutdown.ts';
import { checkRedis } from '../platform/redis.ts';
import { watchEventLoop } from '../platform/telemetry/event-loop.ts';
import { metricsText } from '../platform/telemetry/metrics.ts';
import { startTracing } from '../platform/telemetry/otlp.ts';
import { runReadings } from '../platform/telemetry/run-readings.ts';
import { runSequencer } from '../record/events/sequencer.ts';
import { laneObject } from '../webhooks/outgoing/deliver-events.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env, 'worker');
  const tracing = await startTracing(config, 'worker');
  const { app, custody, sequencer, readings, waker } = wireWorker(config, await clockOf(config));
  const internal = await serveInternal({
    ...internalAddress(config),
    health: app.health,
    metrics: metricsText,
  });
  await checkRedis(config.REDIS_URL);
  await checkDatabase(app, 'worker');
  const endpoint = endpointSettings(config);
  const lanes = laneObject(app);
  const objects: readonly [VirtualObject, ...VirtualObject[]] = custody
    ? [resourceObject(custody, sagasOf(sagas), app.cell), lanes]
    : [lanes];
  const running = [
    ...(endpoint ? [await serveRestate(app, objects, endpoint)] : []),
    runSequencer(sequencer),
    // Only for those who read the internal port.
    ...(internal.url === undefined ? [] : [runReadings(readings)]),
    runJobs(app, jobs, { waker, isMet: isNeedMet }),
    ...(custody ? [runJobs(custody, custodyJobs, { waker, isMet: isNeedMet })] : []),
  ];
  internal.markStarted();
  watchEventLoop();
  stopOnSignal(app.log, config, {
    drain: () => internal.markDraining(),
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
      await sequencer.notifier.close();
      await app.close();
      await tracing.close();
      await internal.close();
    },
  });
  const { url: internalUrl } = internal;
  app.log.info({ hasCustody: !!custody, hasEngine: !!endpoint, internalUrl }, 'worker started');
  process.stdout.write(`${JSON.stringify({ working: true, internal: internalUrl })}\n`);
}

runMain(main);
