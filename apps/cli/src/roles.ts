//! `holdfast api`, `worker`, `migrate`, `sandbox`: run one process of the set in this process.
import { Command } from 'commander';
import { entryOf } from './entries.ts';
import type { Role } from './server-process.ts';

const MEANS: Readonly<Record<Role, string>> = {
  api: 'run the API server; configured by environment variables',
  worker:
    'run the worker: workflows, background jobs and event ordering; configured by environment variables',
  migrate: 'apply database migrations; safe to run again',
  sandbox: 'run the sandbox: a simulated Stellar network, escrow provider and payment provider',
};

export function roleCommands(): Command[] {
  return (Object.keys(MEANS) as Role[]).map((role) => {
    const command = new Command(role).description(MEANS[role]).action(() => runRole(role));
    if (role !== 'sandbox') return command;
    return command
      .option('--port <number>', 'port to listen on; 0 for any free port')
      .option(
        '--host <address>',
        'address to listen on (default: loopback); anyone who reaches it can create money in it',
      )
      .option('--public-url <url>', 'URL of the sandbox in links, if it differs from its address')
      .option(
        '--data <folder>',
        'folder for the sandbox state (default: none, the state is lost on exit)',
      );
  });
}

/** Signals, exit code and output are the role's own: a supervisor has one process to watch. */
async function runRole(role: Role): Promise<void> {
  // The role reads its arguments from where its own script would stand.
  process.argv.splice(2, 1);
  // A role that serves holds the process; one that has ended lets it go, with its own exit code.
  await import(entryOf(role).href);
}
