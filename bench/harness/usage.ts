//! CPU used over a window by named processes, this database, and all other processes. Read
//! from /proc: less noisy on shared cores than operations per second.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Client, Pool } from 'pg';
import { percentText } from './figures.ts';

/** Linux counts in ticks of 10 ms for every process, for any clock of the kernel. */
const MS_PER_TICK = 10;

/** Reads the tables as their owner. */
export type Monitor = Pick<Client | Pool, 'query'>;

/** Microseconds of the monotonic clock, which is what CPU profiles count in as well. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface Usage {
  /** Share of one core, by name; `postgres` is all of it for this database that has no name. */
  readonly cores: Readonly<Record<string, number>>;
  /** Share of the machine that none of them used. */
  readonly othersShare: number;
  readonly window: Window;
}

export type Pids = Readonly<Record<string, number | readonly number[] | undefined>>;

export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Starts a window; the returned function ends it. */
export async function watchUsage(monitor: Monitor, pids: Pids): Promise<() => Usage> {
  const groups = new Map(Object.entries(pids).map(([name, pid]) => [name, [pid ?? []].flat()]));
  const named = [...groups.values()].flat();
  const backends = await postgresPids(monitor);
  groups.set(
    'postgres',
    backends.filter((pid) => !named.includes(pid)),
  );
  const sample = () => new Map([...groups.values()].flat().map((pid) => [pid, cpuMsOf(pid)]));
  const from = monotonicMicros();
  const busyBefore = machineBusyMs();
  const before = sample();
  return () => {
    const after = sample();
    const busyMs = machineBusyMs() - busyBefore;
    const to = monotonicMicros();
    const spanMs = (to - from) / 1000;
    // A process that is in only one of the samples is left out.
    const usedMs = (pid: number) => {
      const [then, now] = [before.get(pid), after.get(pid)];
      return then === undefined || now === undefined ? 0 : now - then;
    };
    const used = [...groups].map(([name, of]) => [name, sum(of.map(usedMs))] as const);
    const ours = sum(used.map(([, ms]) => ms));
    return {
      cores: Object.fromEntries(used.map(([name, ms]) => [name, ms / spanMs])),
      othersShare: Math.max(0, (busyMs - ours) / (spanMs * availableParallelism())),
      window: { from, to },
    };
  };
}

/** `api 0.43, postgres 0.61 of a core; others 4% of the machine`. */
export function describeUsage({ cores, othersShare }: Usage): string {
  const parts = Object.entries(cores).map(([name, share]) => `${name} ${share.toFixed(2)}`);
  return `${parts.join(', ')} of a core; others ${percentText(othersShare)} of the machine`;
}

export function secondsOf({ window }: Usage): number {
  return (window.to - window.from) / 1e6;
}

/** Resident memory of a process in bytes, or 0 where the system does not report it. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readProc(`${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Milliseconds of CPU a process has used, or undefined when it is gone or not on this machine. */
function cpuMsOf(pid: number): number | undefined {
  const stat = readProc(`${pid}/stat`);
  if (stat === '') return undefined;
  // The command may hold spaces and brackets; what follows its last bracket does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Milliseconds that all processors were busy, or 0 where the system does not count them. */
function machineBusyMs(): number {
  const counted = readProc('stat').slice(5).split('\n')[0]?.trim().split(' ').map(Number) ?? [];
  // user, nice, system, idle, iowait, irq, softirq, steal: all but the two that mean waiting.
  return sum([0, 1, 2, 5, 6, 7].map((at) => counted[at] ?? 0)) * MS_PER_TICK;
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}

/**
 * The postmaster's children that work for this database: its own backends and the writers that all
 * databases share. Others use the same cluster, so not simply all children.
 */
async function postgresPids(monitor: Monitor): Promise<number[]> {
  const { rows } = await monitor.query<{ pid: number }>(`
    select pid from pg_stat_activity
    where (datname = current_database() and pid <> pg_backend_pid())
       or backend_type in ('checkpointer', 'background writer', 'walwriter')`);
  return rows.map((row) => row.pid);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
