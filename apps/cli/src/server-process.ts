//! Starts one of the server's processes and waits for the line that says it is ready.
import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const APPS = fileURLToPath(new URL('../../', import.meta.url));

/** Where each process begins. */
const ENTRIES = {
  api: 'server/src/api.ts',
  worker: 'server/src/worker.ts',
  migrate: 'server/src/migrate.ts',
  sandbox: 'sandbox/src/main.ts',
} as const;

export type Role = keyof typeof ENTRIES;
const READY_MS_MAX = 30_000;

export interface ServerProcess {
  /** Where it listens; empty for a process that serves nobody. */
  readonly url: string;
  readonly pid: number;
  /** What the process said when it was ready. */
  readonly said: Readonly<Record<string, unknown>>;
  /** Resolves when the process is gone, whoever ended it. */
  readonly gone: Promise<void>;
  /** Resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

export function startServerProcess(
  role: Role,
  env: Record<string, string>,
  isQuiet: boolean,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  return startProcess(`${APPS}${ENTRIES[role]}`, env, isQuiet, args);
}

/** Any script that says on its first line that it is ready. */
export async function startProcess(
  script: string,
  env: Record<string, string>,
  isQuiet: boolean,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--conditions=@holdfast/source', script, ...args], {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', isQuiet ? 'ignore' : 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await firstLine(child, basename(script, '.ts'));
  return {
    url: typeof line['listening'] === 'string' ? line['listening'] : '',
    pid: child.pid as number,
    said: line,
    gone,
    kill: async (signal) => {
      child.kill(signal);
      await gone;
    },
  };
}

/** Only what a process needs to run: settings are handed over explicitly, never by accident. */
function inherited(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'NODE_OPTIONS', 'NODE_V8_COVERAGE'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function firstLine(child: ChildProcess, name: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${name} was not ready within ${READY_MS_MAX / 1000} s`));
    }, READY_MS_MAX);
    const onExit = (code: number | null) => {
      clearTimeout(late);
      reject(new Error(`${name} ended with ${code} before it was ready`));
    };
    child.once('exit', onExit);
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => {
      clearTimeout(late);
      child.off('exit', onExit);
      resolve(JSON.parse(line) as Record<string, unknown>);
    });
  });
}
