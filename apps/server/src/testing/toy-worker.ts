//! A worker process with toy sagas only, which starts quickly: for tests that kill it.
import { systemClock } from '@holdfast/kernel/clock';
import { RestateEngine } from '../engine/restate-client.ts';
import { endpointSettings, resourceObject, serveRestate } from '../engine/restate-endpoint.ts';
import { sagasOf } from '../engine/saga.ts';
import { type Sweeper, sweepOperations } from '../engine/sweep-operations.ts';
import { readConfig } from '../platform/config/config.ts';
import { openPool } from '../platform/database/database.ts';
import { armFailpoint } from '../platform/process/failpoint.ts';
import { createLog } from '../platform/process/log.ts';
import { runJobs } from '../platform/process/scheduler.ts';
import { toySaga } from './toy-saga.ts';

const config = readConfig(process.env, 'worker');
const { HOLDFAST_FAILPOINT: failpointName, HOLDFAST_ENGINE_INGRESS_URL: ingressUrl } = config;
const settings = endpointSettings(config);
if (settings === undefined || ingressUrl === undefined) throw new Error('a Restate is needed');
if (failpointName !== undefined) armFailpoint(failpointName);
const log = createLog(config.HOLDFAST_LOG_LEVEL, 'worker');
const deps = { config, pool: openPool(config, log), clock: systemClock, log };
const app: Sweeper & typeof deps = {
  ...deps,
  engine: new RestateEngine(deps, { ingressUrl, cell: config.HOLDFAST_CELL, deadlineMs: 1000 }),
};
const toys = resourceObject(app, sagasOf([toySaga()]), config.HOLDFAST_CELL);
const endpoint = await serveRestate(app, [toys], settings);
runJobs(app, [
  {
    name: 'sweep-operations',
    everyMs: 250,
    description: 'as in a worker',
    emits: [],
    run: sweepOperations,
  },
]);
await endpoint.registered;
process.stdout.write(`${JSON.stringify({ working: true })}\n`);
