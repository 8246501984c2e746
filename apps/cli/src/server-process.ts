//! Starts one of the server's processes and waits for the line that says it is ready.
import { type ChildProcess, spawn } from 'node:child_process';
import { fstatSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { adopt } from './children.ts';
import { type Entry, entryOf, NODE_FLAG } from './entries.ts';

const READY_MS_MAX = 60_000;

/** Where its log goes: nowhere, to our own standard error, or to an open file. */
export type LogTo = 'ignore' | 'inherit' | number;

export interface ServerProcess {
  readonly role: string;
  /** Where it listens; empty for a process without a port. */
  readonly url: string;
  readonly pid: number;
  /** What the process said when it was ready. */
  readonly readyInfo: Readonly<Record<string, unknown>>;
  /** Resolves when the process is gone, for any reason. */
  readonly gone: Promise<void>;
  /** Resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

export type Role = Extract<Entry, 'api' | 'worker' | 'migrate' | 'sandbox'>;

export function startServerProcess(
  role: Role,
  env: Record<string, string>,
  logTo: LogTo,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  return startProcess(fileURLToPath(entryOf(role)), env, logTo, args, role);
}

/** One that ends by itself; gives what it said. */
export async function runServerProcess(
  role: Role,
  env: Record<string, string>,
  logTo: LogTo,
): Promise<ServerProcess['readyInfo']> {
  const { readyInfo, gone } = await startServerProcess(role, env, logTo);
  await gone;
  return readyInfo;
}

/** Any script that says on its first line that it is ready. */
export async function startProcess(
  script: string,
  env: Record<string, string>,
  logTo: LogTo,
  args: readonly string[] = [],
  role = basename(script, '.ts'),
): Promise<ServerProcess> {
  const program = spawn(process.execPath, [NODE_FLAG, script, ...args], {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', logTo],
  });
  const child = adopt(program);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await firstLine(child, role).catch((error: Error) => {
    throw new Error(`${error.message}${lastLinesOf(logTo)}`);
  });
  return {
    role,
    url: typeof line['listening'] === 'string' ? line['listening'] : '',
    pid: child.pid as number,
    readyInfo: line,
    gone,
    kill: async (signal) => {
      child.kill(signal);
      await gone;
    },
  };
}

const NODE_SETTINGS = ['NODE_OPTIONS', 'NODE_V8_COVERAGE', 'NODE_COMPILE_CACHE'];

/** Only what a process needs to run: settings are handed over explicitly, never by accident. */
function inherited(): Record<string, string> {
  const allowed = ['PATH', 'HOME', 'TMPDIR', 'TZ', ...NODE_SETTINGS];
  return Object.fromEntries(
    allowed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

const CHARACTERS_SHOWN = 2000;

/** Why it ended, if its log is a file that can be read. */
function lastLinesOf(logTo: LogTo): string {
  if (typeof logTo !== 'number') return '';
  try {
    const { size } = fstatSync(logTo);
    const text = Buffer.alloc(Math.min(size, CHARACTERS_SHOWN));
    readSync(logTo, text, 0, text.length, size - text.length);
    return `:\n${text.toString().trimEnd()}`;
  } catch {
    return '';
  }
}

function firstLine(child: ChildProcess, name: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the ${name} process was not ready within ${READY_MS_MAX / 1000} s`));
    }, READY_MS_MAX);
    const onExit = (code: number | null, signal: string | null) => {
      clearTimeout(late);
      const how = code === null ? `was killed by ${signal}` : `exited with code ${code}`;
      reject(new Error(`the ${name} process ${how} before it was ready`));
    };
    child.once('exit', onExit);
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => {
      clearTimeout(late);
      child.off('exit', onExit);
      resolve(JSON.parse(line) as Record<string, unknown>);
    });
  });
}
