//! `npm run chaos`: clients run orders while processes are killed, responses lost, stores emptied
//! and marketplaces stopped; at the end every balance must equal the clients' own arithmetic.
import { print, secondsSince } from '../../harness/report.ts';
import { awaitPolls, awaitWebhooks, converge } from '../../harness/rest.ts';
import { runHarness } from '../../harness/run.ts';
import { countWebhooks } from '../../harness/sandbox.ts';
import { wrongStops } from './check-stops.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { newNotebook } from './notebook.ts';
import { type ChaosOptions, COMMAND, sizeOf } from './options.ts';
import { runRaces } from './races.ts';
import { runText } from './report.ts';
import { runLives } from './run-lives.ts';
import { runMembers } from './run-members.ts';
import { runPayments } from './run-payments.ts';
import { checkRun } from './verdict.ts';

async function chaos(options: ChaosOptions): Promise<readonly string[]> {
  const startedAt = performance.now();
  await using environment = await openEnvironment(options);
  print(`environment ready after ${secondsSince(startedAt)}`);
  return await runAll(environment, options);
}

async function runAll(environment: Environment, options: ChaosOptions): Promise<string[]> {
  const notebook = newNotebook();
  const size = sizeOf(options);
  const lived = size.orders > 0 ? await runLives(environment, options, notebook) : undefined;
  const payments =
    options.payments > 0 ? await runPayments(environment, options, notebook) : undefined;
  const members =
    options.members > 0 ? await runMembers(environment, options, notebook) : undefined;
  const parts = [lived, payments?.lived, members?.lived].filter((part) => part !== undefined);
  // The checks wait until the service has polled the provider's decisions.
  const others = [...((await payments?.check()) ?? []), ...((await members?.check()) ?? [])];
  if (payments !== undefined) await awaitPolls(environment.monitor);
  const convergence = await converge(environment.monitor);
  const races = size.races > 0 ? await runRaces(environment, options, notebook) : undefined;
  const afterRaces = await converge(environment.monitor);
  await awaitWebhooks(environment.sandbox);
  const atLast = await converge(environment.monitor);
  const moving = [convergence, afterRaces, atLast].flatMap((each) => each.moving);
  const verdict = await checkRun(environment, notebook);
  const webhooks = await countWebhooks(environment.sandbox);
  const { orders } = verdict;
  print(`\n${runText({ options, notebook, lived, parts, races, convergence, webhooks, orders })}`);
  const still = moving.map((what) => `still moving: ${what}`);
  const stopped = wrongStops(parts, notebook.refusals);
  return [...notebook.wrong, ...still, ...stopped, ...verdict.wrong, ...others];
}

await runHarness(COMMAND, chaos);
