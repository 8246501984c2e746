//! `holdfast api`, `worker`, `migrate`, `sandbox`: one process of the set, in this very process.
import { Command } from 'commander';
import { entryOf } from './entries.ts';
import type { Role } from './server-process.ts';

const MEANS: Readonly<Record<Role, string>> = {
  api: 'serve the API; settings come from the environment',
  worker: 'run sagas, jobs and the sequencer; settings come from the environment',
  migrate: 'bring the database up to this build; safe to repeat',
  sandbox: 'play the outside world: network, escrow and payment provider',
};

export function roleCommands(): Command[] {
  return (Object.keys(MEANS) as Role[]).map((role) => {
    const command = new Command(role).description(MEANS[role]).action(() => runRole(role));
    if (role !== 'sandbox') return command;
    return command
      .option('--port <number>', 'where it listens; 0 takes any free port')
      .option('--data <folder>', 'keeps its world from one run to the next');
  });
}

/** Signals, exit code and output are the role's own: a supervisor has one process to watch. */
async function runRole(role: Role): Promise<never> {
  // What it reads of its command line begins where its own script would stand.
  process.argv.splice(2, 1);
  await import(entryOf(role).href);
  return new Promise<never>(() => undefined);
}
