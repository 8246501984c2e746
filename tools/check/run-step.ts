//! Runs one step of the check as a process, and returns its exit and its cost.
import { spawn } from 'node:child_process';

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** The step prints "N passed, N failed" itself; without it the step counts as one. */
  readonly isCounted?: true;
  /** Runs on a PostgreSQL that keeps what it confirms, not on the one for tests. */
  readonly needsDisk?: true;
  /** Part of a check of what changed since a commit. */
  readonly isQuick?: true;
}

export interface Ended {
  readonly step: Step;
  readonly isGood: boolean;
  readonly passed: number;
  readonly failed: number;
  /** Both streams in one. */
  readonly output: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Of its processes; not of services that ran before it, such as PostgreSQL. */
  readonly cpuSeconds: number;
}

const COUNT = /^(\d+) passed, (\d+) failed/gm;
/** The shell prints the time of its children on a stream that is not the step's. */
const TIMED = ['sh', '-c', '"$@"; code=$?; times >&3; exit $code', 'sh'];
const CPU_TIME = /(\d+)m([\d.]+)s/g;
/** A process that a step left behind keeps the streams open; we do not wait for it. */
const LEFT_BEHIND_MS = 5000;

export async function runStep(
  step: Step,
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<Ended> {
  const startedAt = performance.now();
  const { code, output, times } = await run([...TIMED, ...step.command], env, print);
  const count = step.isCounted ? [...output.matchAll(COUNT)].at(-1) : undefined;
  const isGood = code === 0 && (!step.isCounted || count !== undefined);
  return {
    step,
    isGood,
    passed: count ? Number(count[1]) : isGood ? 1 : 0,
    failed: Math.max(count ? Number(count[2]) : 0, isGood ? 0 : 1),
    output,
    startedAt,
    endedAt: performance.now(),
    cpuSeconds: cpuSecondsOf(times),
  };
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGTERM');
  } catch {
    // It is gone already.
  }
}

function cpuSecondsOf(times: string): number {
  return [...times.matchAll(CPU_TIME)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

function run(
  [program, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<{ code: number | null; output: string; times: string }> {
  return new Promise((resolve) => {
    // A group of its own: whichever way we end, all that it started ends with us.
    const child = spawn(program as string, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const endAll = () => endGroup(child.pid);
    process.once('exit', endAll);
    child.once('close', () => process.off('exit', endAll));
    let [output, times] = ['', ''];
    const end = (code: number | null) => resolve({ code, output, times });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        print(chunk.toString());
      });
    }
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      times += chunk.toString();
    });
    child.once('error', () => end(1));
    child.once('close', end);
    child.once('exit', (code) => setTimeout(() => end(code), LEFT_BEHIND_MS).unref());
  });
}
