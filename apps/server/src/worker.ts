//! The worker process: sagas, the sequencer and the background jobs, until it is stopped.
import { readConfig } from './config.ts';
import {
  endpointSettings,
  resourceObject,
  serveRestate,
  type VirtualObject,
} from './engine/restate-endpoint.ts';
import { sagasOf } from './engine/saga.ts';
import { runSequencer } from './events/sequencer.ts';
import { custodyJobs, jobs } from './jobs/jobs.ts';
import { sagas } from './jobs/sagas.ts';
import { checkDatabase } from './platform/boot-checks.ts';
import { runMain } from './platform/run-main.ts';
import { runJobs } from './platform/scheduler.ts';
import { stopOnSignal } from './platform/shutdown.ts';
import { laneObject } from './webhooks/deliver-events.ts';
import { clockOf } from './wire.ts';
import { wireWorker } from './wire-worker.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { app, custody, sequencer, waker } = wireWorker(config, await clockOf(config));
  await checkDatabase(app.pool, config, app.log);
  const endpoint = endpointSettings(config);
  const lanes = laneObject(app);
  const objects: readonly [VirtualObject, ...VirtualObject[]] = custody
    ? [resourceObject(custody, sagasOf(sagas), app.cell), lanes]
    : [lanes];
  const running = [
    ...(endpoint ? [await serveRestate(app, objects, endpoint)] : []),
    runSequencer(sequencer),
    runJobs(app, jobs, waker),
    ...(custody ? [runJobs(custody, custodyJobs, waker)] : []),
  ];
  stopOnSignal(app.log, config.HOLDFAST_SHUTDOWN_MS, async () => {
    await Promise.all(running.map((each) => each.stop()));
    await sequencer.notifier.close();
    await app.close();
  });
  app.log.info({ hasCustody: !!custody, hasEngine: !!endpoint }, 'worker started');
  process.stdout.write(`${JSON.stringify({ working: true })}\n`);
}

runMain(main);
