//! Runs the program as a person would type it, and captures its output.
import { systemClock } from '@holdfast/kernel/clock';
import { type Command, CommanderError } from 'commander';
import type { ProgramWorld } from '../commands/run.ts';
import { buildProgram } from '../program.ts';

export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The program, to be inspected. */
export function programOf(): Command {
  return buildProgram(
    worldOf({}, { out: () => undefined, err: () => undefined, end: () => undefined }),
  );
}

export interface Surrounded {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** `type('orders list')`; words with spaces go as a list. */
export async function type(
  line: string | readonly string[],
  { env = {}, folder = NOWHERE }: Surrounded = {},
): Promise<Typed> {
  let [code, out, err] = [0, '', ''];
  const program = buildProgram(
    worldOf(
      { env, folder },
      {
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        end: (ended) => {
          code = ended;
        },
      },
    ),
  );
  const words = typeof line === 'string' ? line.split(' ') : line;
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    code = error.exitCode === 0 ? 0 : 2;
  }
  return { code, out, err };
}

const NOWHERE = '/';

interface Ears {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly end: (code: number) => void;
}

function worldOf(
  { env = {}, folder = NOWHERE }: Surrounded,
  { out, err, end }: Ears,
): ProgramWorld {
  return {
    env,
    folder,
    clock: systemClock,
    stdout: { write: out },
    stderr: { write: err },
    end,
    onInterrupt: () => () => undefined,
  };
}
