//! Who used how much CPU over a window: named processes, this database, and everybody else.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Client } from 'pg';
import { cpuMsBetween, machineBusyMs, postgresPids, sampleCpu } from '../cpu.ts';
import { monotonicMicros, type Window } from '../window.ts';

export interface Usage {
  /** Share of one core, by name; `postgres` is all of it for this database that has no name. */
  cores: Record<string, number>;
  /** Share of the machine that none of them used. */
  othersShare: number;
  window: Window;
}

/** Begins a window; the function it gives back ends it. */
export async function watchUsage(
  monitor: Client,
  pids: Readonly<Record<string, number | undefined>>,
): Promise<() => Usage> {
  const groups = Object.entries(pids).map(([name, pid]) => ({
    name,
    pids: pid === undefined ? [] : [pid],
  }));
  const named = groups.flatMap((group) => group.pids);
  const backends = await postgresPids(monitor);
  groups.push({ name: 'postgres', pids: backends.filter((pid) => !named.includes(pid)) });
  const sample = () => groups.map((group) => sampleCpu(group.pids));
  const from = monotonicMicros();
  const busyBefore = machineBusyMs();
  const before = sample();
  return () => {
    const after = sample();
    const busyMs = machineBusyMs() - busyBefore;
    const to = monotonicMicros();
    const spanMs = (to - from) / 1000;
    const usedMs = groups.map((_, at) =>
      cpuMsBetween(before[at] ?? new Map(), after[at] ?? new Map()),
    );
    const ours = usedMs.reduce((sum, ms) => sum + ms, 0);
    return {
      cores: Object.fromEntries(
        groups.map(({ name }, at) => [name, (usedMs[at] ?? 0) / spanMs] as const),
      ),
      othersShare: Math.max(0, (busyMs - ours) / (spanMs * availableParallelism())),
      window: { from, to },
    };
  };
}

/** `api 0.43, postgres 0.61 of a core; others 4% of the machine`. */
export function describeUsage({ cores, othersShare }: Usage): string {
  const parts = Object.entries(cores).map(([name, share]) => `${name} ${share.toFixed(2)}`);
  return `${parts.join(', ')} of a core; others ${(100 * othersShare).toFixed(0)}% of the machine`;
}

/** Resident memory of a process in bytes, or 0 where nobody tells. */
export function residentBytes(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
