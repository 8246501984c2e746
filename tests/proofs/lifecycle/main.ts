//! `npm run test:lifecycle`: restarts every process under load, then takes away what they rely on,
//! one after another: nothing fails that should not, and readiness shows what does.
import { count, flag, type OptionsOf, text } from '../../harness/options.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { openRun } from './environment.ts';
import { ALL, type Losses, loseEach, QUICK } from './lost.ts';
import { restartOneByOne } from './rolling-restart.ts';

const options = {
  quick: flag('the short slice: one rolling restart, and Redis lost'),
  rounds: count('rolling restarts', { full: 5, quick: 1 }),
  rate: count('calls a second', { full: 200, quick: 50 }),
  only: text('NAME', 'lose only this, as it is named in the output; no restarts'),
  loud: flag('show the standard error of the processes'),
};

async function testLifecycle(given: OptionsOf<typeof options>): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  const run = await openRun(cleanup, given.loud);
  const wrong = given.only === undefined ? await restartOneByOne(run, given) : [];
  const losses = lossesOf(given);
  wrong.push(...(await loseEach(run, losses)));
  const { primary, standby } = run.replication;
  const { port } = losses['Primary'] === undefined ? primary : standby;
  return [...wrong, ...(await auditRun({ databaseUrl: run.databaseUrl(port) }))];
}

function lossesOf({ only, quick }: OptionsOf<typeof options>): Losses {
  if (only === undefined) return quick ? QUICK : ALL;
  const loss = ALL[only];
  if (loss === undefined) throw new Error(`--only: one of ${Object.keys(ALL).join(', ')}`);
  return { [only]: loss };
}

await runHarness({ name: 'npm run test:lifecycle', options }, testLifecycle);
