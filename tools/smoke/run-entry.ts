//! Runs one entry as a process, and checks that it does what the entry says.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Run, Serve } from './entries.ts';

export interface EntryResult {
  readonly isGood: boolean;
  /** Why not. */
  readonly fault: string;
  /** Both streams in one. */
  readonly output: string;
  readonly seconds: number;
}

const STOP_MS_MAX = 30_000;
/** A process that was left behind keeps the streams open; we do not wait for it. */
const LEFT_BEHIND_MS = 2000;

/** As npm would start it, without the second that npm itself takes. */
export function runEntry(
  command: string,
  entry: Run | Serve,
  env: NodeJS.ProcessEnv,
  msMax: number,
): Promise<EntryResult> {
  const startedAt = performance.now();
  // In a group of its own, so that what it has started goes with it.
  const child = spawn('sh', ['-c', `exec ${command} "$@"`, 'sh', ...entry.args], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const endAll = () => endGroup(child);
  process.once('exit', endAll);
  let output = '';
  let isReady = false;
  let late = '';
  const giveUp = (after: string) => () => {
    late = after;
    endAll();
  };
  let limit = setTimeout(giveUp(`had not ended after ${msMax / 1000} s`), msMax);
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString();
    if (entry.kind !== 'serve' || isReady || !entry.ready.test(output)) return;
    isReady = true;
    clearTimeout(limit);
    limit = setTimeout(giveUp(`had not stopped after ${STOP_MS_MAX / 1000} s`), STOP_MS_MAX);
    child.kill('SIGTERM');
  };
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  child.stdin.on('error', () => undefined).end(entry.kind === 'run' ? entry.input : undefined);
  return new Promise((resolve) => {
    let leftBehind: NodeJS.Timeout | undefined;
    const end = (code: number | null, signal: string | null) => {
      clearTimeout(limit);
      clearTimeout(leftBehind);
      process.off('exit', endAll);
      endAll();
      const fault = late || faultOf(entry, { code, signal, output, isReady });
      const seconds = (performance.now() - startedAt) / 1000;
      resolve({ isGood: fault === '', fault, output, seconds });
    };
    child.once('error', () => end(null, 'no start'));
    child.once('close', end);
    child.once('exit', (code, signal) => {
      leftBehind = setTimeout(end, LEFT_BEHIND_MS, code, signal);
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // None of them is left.
  }
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly isReady: boolean;
}

/** Empty when it did as it should. */
function faultOf(entry: Run | Serve, { code, signal, output, isReady }: Ended): string {
  if (entry.kind === 'serve') {
    if (!isReady) return `ended with ${code ?? signal} before it was ready`;
    return code === 0 ? '' : `ended with ${code ?? signal} after the signal to stop`;
  }
  const isExpected = entry.ends === 'refused' ? code !== null && code !== 0 : code === 0;
  if (!isExpected) return `ended with ${code ?? signal}`;
  return entry.prints?.test(output) === false ? `did not print ${entry.prints}` : '';
}
