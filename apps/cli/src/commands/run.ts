//! The run of a command: its options, clients, terminal, and exit code, the same for all commands.
import type { Clock } from '@holdfast/kernel/clock';
import { type AttemptReport, Holdfast } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { EXITS, isExitName } from '../exit-codes.ts';
import { findServer, type ServerFlags, type ServerLocation } from '../find-server.ts';
import { openSandbox, type Sandbox } from '../scenarios/sandbox.ts';
import { faultJson, faultLines, faultOf } from '../terminal/failure.ts';
import { openTerminal, type Streams, type Terminal } from '../terminal/terminal.ts';
import { readSpan } from '../terminal/words.ts';

/** The world around the program; a test brings its own. */
export interface ProgramWorld extends Streams {
  /** The working directory. */
  readonly folder: string;
  readonly clock: Clock;
  /** Receives the exit code, once. */
  end(code: number): void;
  /**
   * Is called when the person presses Ctrl-C, and returns whether the command ends by itself then.
   * Returns a function that removes the listener.
   */
  onInterrupt(call: () => boolean): () => void;
}

/** Options that every command takes. */
export interface GlobalOptions extends ServerFlags {
  readonly json?: boolean;
}

export interface Run {
  readonly terminal: Terminal;
  readonly world: ProgramWorld;
  /**
   * Aborted when the person presses Ctrl-C; a command that reads it ends by it, others end at once.
   */
  readonly signal: AbortSignal;
  /** Without `usual` it is a fault when nothing is named. */
  server(usual?: string): ServerLocation;
  /** With the API key of a marketplace. */
  holdfast(): Holdfast;
  /** With the master key of the deployment. */
  master(): Holdfast;
  sandbox(): Sandbox;
}

/** Ends with success unless it returns the name of another exit. */
export type Work<O> = (
  run: Run,
  options: O & GlobalOptions,
  ...args: readonly string[]
) => Promise<unknown>;

/** Gives a command its work. Every error is printed in one form and ends with its exit code. */
export function does<O = object>(world: ProgramWorld, command: Command, work: Work<O>): Command {
  return command.action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command;
    const options = self.optsWithGlobals() as O & GlobalOptions;
    const args = given.slice(0, -2).flat() as (string | undefined)[];
    await perform(world, options, (run) => work(run, options, ...(args as string[])));
  });
}

async function perform(
  world: ProgramWorld,
  options: GlobalOptions,
  work: (run: Run) => Promise<unknown>,
): Promise<void> {
  const terminal = openTerminal(world, options.json === true);
  const interrupt = new AbortController();
  let usesSignal = false;
  const stopListening = world.onInterrupt(() => {
    terminal.progress.clear();
    interrupt.abort(new Error('interrupted'));
    return usesSignal;
  });
  const run = runOf(world, options, terminal, () => {
    usesSignal = true;
    return interrupt.signal;
  });
  try {
    const result = await work(run);
    terminal.progress.clear();
    world.end(EXITS[isExitName(result) ? result : 'ok'].code);
  } catch (error) {
    terminal.progress.clear();
    if (interrupt.signal.aborted) {
      world.end(EXITS.interrupted.code);
      return;
    }
    const fault = faultOf(error);
    if (terminal.isJson) terminal.printStderr(JSON.stringify(faultJson(fault)));
    else terminal.printStderr(...faultLines(fault, terminal.stderrStyle));
    world.end(EXITS[fault.exit].code);
  } finally {
    stopListening();
  }
}

function runOf(
  world: ProgramWorld,
  options: GlobalOptions,
  terminal: Terminal,
  signalOf: () => AbortSignal,
): Run {
  const server = (usual?: string) => findServer(options, world.env, world.folder, usual);
  return {
    terminal,
    world,
    get signal() {
      return signalOf();
    },
    server,
    holdfast: () => {
      const { url, apiKey } = server();
      if (apiKey === undefined)
        throw usageFault('no API key', 'pass --api-key or set HOLDFAST_API_KEY');
      return new Holdfast({ baseUrl: url, apiKey, onResponse: reportLimit(terminal) });
    },
    master: () => {
      const { url, masterKey } = server();
      if (masterKey === undefined)
        throw usageFault('the master key is required', 'set HOLDFAST_MASTER_KEY');
      return new Holdfast({ baseUrl: url, apiKey: masterKey });
    },
    sandbox: () => openSandbox(server().sandbox),
  };
}

/** The SDK waits and retries by itself; this prints why nothing happens. */
function reportLimit(terminal: Terminal) {
  return ({ error }: AttemptReport) => {
    if (error?.code !== 'RATE_LIMITED') return;
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
    terminal.printStderr(
      terminal.stderrStyle.yellow(`  rate limit reached; continuing in ${seconds} s`),
    );
  };
}

/** A span such as 90s or 14d, in seconds. */
export function secondsIn(text: string): number {
  const seconds = readSpan(text);
  if (seconds === undefined)
    throw usageFault(
      `invalid duration ${text}`,
      'use a number with a unit, such as 90s, 15m, 36h or 14d',
    );
  return seconds;
}

/** Requires --yes; there are no prompts. `what` says what the action does. */
export function needsYes(options: { readonly yes?: boolean }, what: string): void {
  if (options.yes === true) return;
  throw usageFault(`confirmation required: ${what}`, 'nothing was done; add --yes to confirm');
}
