//! `npm run chaos`: clients live orders while processes are killed, answers lost, stores emptied;
//! in the end every cent must be where the clients' own arithmetic says.
import { endChildren } from '../../apps/cli/src/children.ts';
import { awaitLooks, awaitWebhooks, converge } from './converge.ts';
import { newNotebook } from './notebook.ts';
import { type ChaosOptions, readOptions } from './options.ts';
import { runRaces } from './races.ts';
import { runText, wrongText } from './report.ts';
import { runLives } from './run-lives.ts';
import { runMembers } from './run-members.ts';
import { runPayments } from './run-payments.ts';
import { openStage, type Stage } from './stage.ts';
import { judge } from './verdict.ts';
import { countWebhooks } from './world.ts';

const STOP_MS_MAX = 10_000;
const say = (text: string) => process.stdout.write(text);

async function chaos(options: ChaosOptions): Promise<number> {
  say(`seed ${options.seed}\n`);
  const begunAt = performance.now();
  const opening = openStage(options.isLoud);
  endOnSignal(opening);
  const stage = await opening;
  say(`the stage is set after ${((performance.now() - begunAt) / 1000).toFixed(0)} s\n`);
  try {
    const wrong = await runAll(stage, options);
    say(
      wrong.length === 0 ? 'chaos: sound\n' : `${wrongText(wrong)}chaos: ${wrong.length} wrong\n`,
    );
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await stage.stop();
  }
}

/** Nobody waits for a verdict any more: all processes end at once, then the database goes. */
function endOnSignal(opening: Promise<Stage>): void {
  const end = () => {
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
    endChildren();
    void opening.then((stage) => stage.stop()).finally(() => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
}

async function runAll(stage: Stage, options: ChaosOptions): Promise<string[]> {
  const notebook = newNotebook();
  const lived = options.orders > 0 ? await runLives(stage, options, notebook) : undefined;
  const payments = options.payments > 0 ? await runPayments(stage, options) : undefined;
  const members = options.members > 0 ? await runMembers(stage, options) : undefined;
  // What the provider has decided is found out by looking: this waits for it.
  const others = [...((await payments?.judge()) ?? []), ...((await members?.judge()) ?? [])];
  if (payments !== undefined) await awaitLooks(stage);
  const convergence = await converge(stage);
  const races = options.races > 0 ? await runRaces(stage, options, notebook) : undefined;
  const afterRaces = await converge(stage);
  await awaitWebhooks(stage.sandbox);
  const atLast = await converge(stage);
  const moving = [convergence, afterRaces, atLast].flatMap((each) => each.moving);
  const verdict = await judge(stage, notebook);
  const webhooks = await countWebhooks(stage.sandbox);
  const { orders } = verdict;
  say(`\n${runText({ options, notebook, lived, races, convergence, webhooks, orders })}`);
  const still = moving.map((what) => `still moving: ${what}`);
  return [...notebook.wrong, ...still, ...verdict.wrong, ...others];
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await chaos(options);
