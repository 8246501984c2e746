//! Finds running processes: for tests that must leave none behind.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWatch } from './machine-time.ts';

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly isRunning: boolean;
}

function rows(): Row[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,ppid=,stat='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/);
    // Ended, and only not yet taken note of by its parent.
    const isRunning = state !== undefined && !state.startsWith('Z');
    return pid ? [{ pid: Number(pid), parent: Number(parent), isRunning }] : [];
  });
}

/** Children, their children, and so on. */
export function descendants(of: number, all: readonly Row[] = rows()): number[] {
  const own = all.filter(({ parent }) => parent === of);
  return own.flatMap(({ pid }) => [pid, ...descendants(pid, all)]);
}

/** To all of them that are still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

function stillRunning(pids: readonly number[]): number[] {
  const running = new Set(rows().flatMap(({ pid, isRunning }) => (isRunning ? [pid] : [])));
  return pids.filter((pid) => running.has(pid));
}

/** Those that have not ended within the time. */
export async function leftAfter(ms: number, pids: readonly number[]): Promise<number[]> {
  const ran = await startWatch();
  for (;;) {
    const left = stillRunning(pids);
    if (left.length === 0 || ran() > ms) return left;
    await sleep(100);
  }
}
