//! The entry of the command line: reads the arguments, runs one command, exits with its code.
import { systemClock } from '@holdfast/kernel/clock';
import { CommanderError } from 'commander';
import type { ProgramWorld } from './commands/run.ts';
import { EXITS } from './exit-codes.ts';
import { buildProgram } from './program.ts';
import { faultJson, faultLines, faultOf } from './terminal/failure.ts';
import { styleFor } from './terminal/style.ts';

const { stdout, stderr, env } = process;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const world: ProgramWorld = {
  stdout,
  stderr,
  env,
  folder: process.cwd(),
  clock: systemClock,
  end: (code) => {
    process.exitCode = code;
  },
  onInterrupt: (call) => {
    // A second Ctrl-C ends the process at once.
    const leave = () => process.exit(EXITS.interrupted.code);
    const once = () => {
      process.once('SIGINT', leave);
      if (!call()) leave();
    };
    for (const signal of SIGNALS) process.once(signal, once);
    return () => {
      for (const signal of SIGNALS) process.off(signal, once);
    };
  },
};

// The reader of our output may close it early, such as `head`.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXITS.ok.code);
  throw error;
});

try {
  const program = buildProgram(world);
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
} catch (error) {
  process.exitCode = endOf(error);
}

/** Commander has already printed the error of a wrong command line. */
function endOf(error: unknown): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? EXITS.ok.code : EXITS.usage.code;
  const fault = faultOf(error);
  const lines = process.argv.includes('--json')
    ? [JSON.stringify(faultJson(fault))]
    : faultLines(fault, styleFor(stderr.isTTY === true, env));
  stderr.write(`${lines.join('\n')}\n`);
  return EXITS[fault.exit].code;
}
