//! A worker of a next build: each of its sagas has one step more, under a new name. Every operation
//! that it takes over from today's workers gets the marker of that step.
import type { StepName } from '@holdfast/contract/step-words';
import { readConfig } from '../../apps/server/src/config.ts';
import {
  endpointSettings,
  resourceObject,
  serveRestate,
} from '../../apps/server/src/engine/restate-endpoint.ts';
import { type Saga, saga, sagasOf } from '../../apps/server/src/engine/saga.ts';
import { runSequencer } from '../../apps/server/src/events/sequencer.ts';
import { custodyJobs, jobs } from '../../apps/server/src/jobs/jobs.ts';
import { sagas } from '../../apps/server/src/jobs/sagas.ts';
import { runMain } from '../../apps/server/src/platform/run-main.ts';
import { runJobs } from '../../apps/server/src/platform/scheduler.ts';
import { stopOnSignal } from '../../apps/server/src/platform/shutdown.ts';
import { laneObject } from '../../apps/server/src/webhooks/deliver-events.ts';
import { clockOf } from '../../apps/server/src/wire.ts';
import { type Custody, wireWorker } from '../../apps/server/src/wire-worker.ts';

/** No reader sees it, so it has no phrase. */
const ADDED_STEP = 'next-build' as string as StepName;

const nextSagas = sagas.map(
  ({ kind, run }): Saga<Custody> =>
    saga(kind, async (attempt, plan: unknown) => {
      await attempt.txStep(ADDED_STEP, async () => null);
      return run(attempt, plan);
    }),
);

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { app, custody, sequencer, waker } = wireWorker(config, await clockOf(config));
  const settings = endpointSettings(config);
  if (custody === undefined || settings === undefined)
    throw new Error('incomplete worker settings');
  const resources = resourceObject(custody, sagasOf(nextSagas), config.HOLDFAST_CELL);
  const endpoint = await serveRestate(app, [resources, laneObject(app)], settings);
  const running = [
    endpoint,
    runSequencer(sequencer),
    runJobs(app, jobs, waker),
    runJobs(custody, custodyJobs, waker),
  ];
  stopOnSignal(app.log, config.HOLDFAST_SHUTDOWN_MS, async () => {
    await Promise.all(running.map((each) => each.stop()));
    await sequencer.notifier.close();
    await app.close();
  });
  await endpoint.registered;
  process.stdout.write(`${JSON.stringify({ working: true, listening: endpoint.url })}\n`);
}

runMain(main);
