//! What a command works with, and how it ends: one way for all of them.
import type { Clock } from '@holdfast/kernel/clock';
import { type AttemptReport, Holdfast } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { EXITS, isExitName } from '../exit-codes.ts';
import { findServer, type PlaceFlags, type ServerPlace } from '../find-server.ts';
import { openSandbox, type Sandbox } from '../scenarios/sandbox.ts';
import { faultJson, faultLines, faultOf } from '../terminal/failure.ts';
import { openTerminal, type Streams, type Terminal } from '../terminal/terminal.ts';
import { readSpan } from '../terminal/words.ts';

/** The world around the program; a test brings its own. */
export interface ProgramWorld extends Streams {
  /** The working directory. */
  readonly folder: string;
  readonly clock: Clock;
  /** Is told the exit code, once. */
  end(code: number): void;
  /**
   * Is called when the person presses Ctrl-C, and says whether the command ends by itself then.
   * Answers how to stop listening for it.
   */
  onInterrupt(call: () => boolean): () => void;
}

/** Options that every command takes. */
export interface GlobalOptions extends PlaceFlags {
  readonly json?: boolean;
}

export interface Run {
  readonly terminal: Terminal;
  readonly world: ProgramWorld;
  /** Ends when the person presses Ctrl-C; whoever asks for it ends by it, others end at once. */
  readonly signal: AbortSignal;
  /** Without `usual` it is a fault when nothing is named. */
  place(usual?: string): ServerPlace;
  /** With the API key of a marketplace. */
  holdfast(): Holdfast;
  /** With the master key of the deployment. */
  master(): Holdfast;
  sandbox(): Sandbox;
}

/** Ends well unless it answers with the name of another exit. */
export type Work<O> = (
  run: Run,
  options: O & GlobalOptions,
  ...args: readonly string[]
) => Promise<unknown>;

/** Gives a command its work. Whatever is thrown is told in one way and ends with its code. */
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
  let isAsked = false;
  const forget = world.onInterrupt(() => {
    terminal.progress.clear();
    interrupt.abort(new Error('interrupted'));
    return isAsked;
  });
  const run = runOf(world, options, terminal, () => {
    isAsked = true;
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
    if (terminal.isJson) terminal.note(JSON.stringify(faultJson(fault)));
    else terminal.note(...faultLines(fault, terminal.noteStyle));
    world.end(EXITS[fault.exit].code);
  } finally {
    forget();
  }
}

function runOf(
  world: ProgramWorld,
  options: GlobalOptions,
  terminal: Terminal,
  signalOf: () => AbortSignal,
): Run {
  const place = (usual?: string) => findServer(options, world.env, world.folder, usual);
  return {
    terminal,
    world,
    get signal() {
      return signalOf();
    },
    place,
    holdfast: () => {
      const { url, apiKey } = place();
      if (apiKey === undefined)
        throw usageFault('no API key is known', 'give --api-key or HOLDFAST_API_KEY');
      return new Holdfast({ baseUrl: url, apiKey, onResponse: tellLimit(terminal) });
    },
    master: () => {
      const { url, masterKey } = place();
      if (masterKey === undefined)
        throw usageFault('this needs the master key', 'set HOLDFAST_MASTER_KEY');
      return new Holdfast({ baseUrl: url, apiKey: masterKey });
    },
    sandbox: () => openSandbox(place().sandbox),
  };
}

/** The SDK waits and repeats by itself; whoever looks on shall know why nothing happens. */
function tellLimit(terminal: Terminal) {
  return ({ error }: AttemptReport) => {
    if (error?.code !== 'RATE_LIMITED') return;
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
    terminal.note(
      terminal.noteStyle.yellow(`  the key has asked too often; going on in ${seconds} s`),
    );
  };
}

/** A span such as 90s or 14d, in seconds. */
export function secondsIn(text: string): number {
  const seconds = readSpan(text);
  if (seconds === undefined)
    throw usageFault(`${text} is no span of time`, 'write it like 90s, 15m, 36h or 14d');
  return seconds;
}

/** What cannot be taken back is said twice; nothing is ever asked. */
export function needsYes(options: { readonly yes?: boolean }, what: string): void {
  if (options.yes === true) return;
  throw usageFault(`${what}, and cannot be taken back`, 'add --yes to do it');
}
