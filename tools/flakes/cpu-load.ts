//! Takes a share of each core, in bursts, like other tenants of a shared machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Short ones delay a timer, long ones let a time-out pass. */
const BURST_MS_MAX = 400;

export interface CpuLoad {
  stop(): void;
}

export function startCpuLoad(cores: number, share: number): CpuLoad {
  const children: ChildProcess[] = [];
  for (let core = 0; share > 0 && core < cores; core += 1)
    children.push(spawn(process.execPath, [import.meta.filename, String(share)]));
  return {
    stop: () => {
      for (const child of children) child.kill();
    },
  };
}

/** Busy for a while, then idle for as long as makes the share right; until its parent is gone. */
async function useCpu(share: number): Promise<void> {
  const parent = process.ppid;
  while (process.ppid === parent) {
    const burstMs = randomInt(1, BURST_MS_MAX);
    const until = performance.now() + burstMs;
    while (performance.now() < until);
    await sleep((burstMs * (1 - share)) / share);
  }
}

if (import.meta.main) await useCpu(Number(process.argv[2]));
