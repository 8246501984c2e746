//! `npm run test:lifecycle`: restarts every process under load, then takes away what they rely on,
//! one after another: nothing fails that should not, and readiness shows what does.
import { count, flag, type OptionsOf } from '../../harness/options.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { openRun } from './environment.ts';
import { ALL, loseEach, QUICK } from './lost.ts';
import { restartOneByOne } from './rolling-restart.ts';

const options = {
  quick: flag('the short slice: one rolling restart, and Redis lost'),
  rounds: count('rolling restarts', { full: 5, quick: 1 }),
  rate: count('calls a second', { full: 200 }),
  loud: flag('show the standard error of the processes'),
};

async function testLifecycle(given: OptionsOf<typeof options>): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  const run = await openRun(cleanup, given.loud);
  const wrong = await restartOneByOne(run, given);
  wrong.push(...(await loseEach(run, given.quick ? QUICK : ALL)));
  const { primary, standby } = run.replication;
  const { port } = given.quick ? primary : standby;
  return [...wrong, ...(await auditRun({ databaseUrl: run.databaseUrl(port) }))];
}

await runHarness({ name: 'npm run test:lifecycle', options }, testLifecycle);
