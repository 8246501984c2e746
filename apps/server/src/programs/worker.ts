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
import { readConfig } from '../platform/config/config.ts';
import { checkDatabase } from '../platform/database/boot-checks.ts';
import { runMain } from '../platform/process/run-main.ts';
import { runJobs } from '../platform/process/scheduler.ts';
import { stopOnSignal } from '../platform/process/shutdown.ts';
import { runSequencer } from '../record/events/sequencer.ts';
import { laneObject } from '../webhooks/outgoing/deliver-events.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env, 'worker');
  const { app, custody, sequencer, waker } = wireWorker(config, await clockOf(config));
  await checkDatabase(app, 'worker');
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
