//! CPU time by process, read from /proc: less noisy on shared cores than operations per second.
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** Linux counts in ticks of 10 ms for every process, whatever the kernel's own clock. */
const MS_PER_TICK = 10;

/** Milliseconds of CPU a process has used, or undefined when it is gone or not on this machine. */
function cpuMsOf(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The command may hold spaces and brackets; what follows its last bracket does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

export type CpuSample = Map<number, number>;

export function sampleCpu(pids: readonly number[]): CpuSample {
  const sample: CpuSample = new Map();
  for (const pid of pids) {
    const used = cpuMsOf(pid);
    if (used !== undefined) sample.set(pid, used);
  }
  return sample;
}

/** What the processes used between two samples; a process in only one of them is left out. */
export function cpuMsBetween(before: CpuSample, after: CpuSample): number {
  let total = 0;
  for (const [pid, used] of after) total += used - (before.get(pid) ?? used);
  return total;
}

/** Milliseconds that all processors of the machine have been busy, or 0 where nobody counts. */
export function machineBusyMs(): number {
  let stat: string;
  try {
    stat = readFileSync('/proc/stat', 'latin1');
  } catch {
    return 0;
  }
  // user, nice, system, idle, iowait, irq, softirq, steal: all but the two that mean waiting.
  const [user, nice, system, , , irq, softirq, steal] = stat.slice(5).trim().split(' ').map(Number);
  const busy = [user, nice, system, irq, softirq, steal];
  return busy.reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) * MS_PER_TICK;
}

/**
 * The postmaster's children that work for this database: its own backends and the writers that all
 * databases share. Others use the same cluster, so not simply all children.
 */
export async function postgresPids(monitor: Client): Promise<number[]> {
  const { rows } = await monitor.query<{ pid: number }>(`
    select pid from pg_stat_activity
    where (datname = current_database() and pid <> pg_backend_pid())
       or backend_type in ('checkpointer', 'background writer', 'walwriter')`);
  return rows.map((row) => row.pid);
}
