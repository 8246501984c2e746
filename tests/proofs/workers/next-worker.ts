//! A worker of a next build: each of its sagas has one step more, under a new name. Every operation
//! that it takes over from today's workers gets the marker of that step.
import type { StepName } from '@holdfast/contract/step-words';
import { custodyJobs, jobs } from '../../../apps/server/src/app/jobs.ts';
import { sagas } from '../../../apps/server/src/app/sagas.ts';
import { clockOf } from '../../../apps/server/src/app/wire.ts';
import { type Custody, wireWorker } from '../../../apps/server/src/app/wire-worker.ts';
import {
  endpointSettings,
  resourceObject,
  serveRestate,
} from '../../../apps/server/src/engine/restate-endpoint.ts';
import { type Saga, saga, sagasOf } from '../../../apps/server/src/engine/saga.ts';
import { readConfig } from '../../../apps/server/src/platform/config/config.ts';
import { isNeedMet } from '../../../apps/server/src/platform/database/lineage.ts';
import { runMain } from '../../../apps/server/src/platform/process/run-main.ts';
import { runJobs } from '../../../apps/server/src/platform/process/scheduler.ts';
import { stopOnSignal } from '../../../apps/server/src/platform/process/shutdown.ts';
import { runSequencer } from '../../../apps/server/src/record/events/sequencer.ts';
import { laneObject } from '../../../apps/server/src/webhooks/outgoing/deliver-events.ts';

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
  const config = readConfig(process.env, 'worker');
  const { app, custody, sequencer, waker } = wireWorker(config, await clockOf(config));
  const settings = endpointSettings(config);
  if (custody === undefined || settings === undefined)
    throw new Error('incomplete worker settings');
  const resources = resourceObject(custody, sagasOf(nextSagas), config.HOLDFAST_CELL);
  const endpoint = await serveRestate(app, [resources, laneObject(app)], settings);
  const running = [
    endpoint,
    runSequencer(sequencer),
    runJobs(app, jobs, { waker, isMet: isNeedMet }),
    runJobs(custody, custodyJobs, { waker, isMet: isNeedMet }),
  ];
  stopOnSignal(app.log, config, {
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
      await sequencer.notifier.close();
      await app.close();
    },
  });
  await endpoint.registered;
  process.stdout.write(`${JSON.stringify({ working: true, listening: endpoint.url })}\n`);
}

runMain(main);
