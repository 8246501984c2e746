//! `npm run chaos`: clients live orders while processes are killed, answers lost, stores emptied;
//! in the end every cent must be where the clients' own arithmetic says.
import { say, secondsSince } from '../harness/report.ts';
import { awaitLooks, awaitWebhooks, converge } from '../harness/rest.ts';
import { runHarness } from '../harness/run.ts';
import { countWebhooks } from '../harness/sandbox.ts';
import { newNotebook } from './notebook.ts';
import { type ChaosOptions, COMMAND, sizeOf } from './options.ts';
import { runRaces } from './races.ts';
import { runText } from './report.ts';
import { runLives } from './run-lives.ts';
import { runMembers } from './run-members.ts';
import { runPayments } from './run-payments.ts';
import { openStage, type Stage } from './stage.ts';
import { judge } from './verdict.ts';

async function chaos(options: ChaosOptions): Promise<readonly string[]> {
  const begunAt = performance.now();
  const stage = await openStage(options);
  say(`the stage is set after ${secondsSince(begunAt)}`);
  try {
    return await runAll(stage, options);
  } finally {
    await stage.stop();
  }
}

async function runAll(stage: Stage, options: ChaosOptions): Promise<string[]> {
  const notebook = newNotebook();
  const size = sizeOf(options);
  const lived = size.orders > 0 ? await runLives(stage, options, notebook) : undefined;
  const payments = options.payments > 0 ? await runPayments(stage, options) : undefined;
  const members = options.members > 0 ? await runMembers(stage, options) : undefined;
  // What the provider has decided is found out by looking: this waits for it.
  const others = [...((await payments?.judge()) ?? []), ...((await members?.judge()) ?? [])];
  if (payments !== undefined) await awaitLooks(stage.monitor);
  const convergence = await converge(stage.monitor);
  const races = size.races > 0 ? await runRaces(stage, options, notebook) : undefined;
  const afterRaces = await converge(stage.monitor);
  await awaitWebhooks(stage.sandbox);
  const atLast = await converge(stage.monitor);
  const moving = [convergence, afterRaces, atLast].flatMap((each) => each.moving);
  const verdict = await judge(stage, notebook);
  const webhooks = await countWebhooks(stage.sandbox);
  const { orders } = verdict;
  say(`\n${runText({ options, notebook, lived, races, convergence, webhooks, orders })}`);
  const still = moving.map((what) => `still moving: ${what}`);
  return [...notebook.wrong, ...still, ...verdict.wrong, ...others];
}

await runHarness(COMMAND, chaos);
