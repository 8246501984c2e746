//! One measured slot: the same lead-in, window and CPU accounting for pgbench and for the service.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { cpuMsBetween, machineBusyMs, postgresPids, sampleCpu } from './cpu.ts';
import { isLoadResult, type LoadParams } from './load-params.ts';
import { monotonicMicros, type Window } from './window.ts';

/** New backends fill their caches and new connections warm up; that is not what is compared. */
export const LEAD_MS = 1000;

export interface Measure {
  opsPerSecond: number;
  /** pgbench tells only its mean. */
  p50Ms: number;
  p99Ms?: number;
  /** Answers other than 200, or failed transactions. */
  faults: number;
  firstFault?: string;
  cpuUsPerOp: { api: number; postgres: number; load: number };
  /** Of the machine's processors, what neither side of the comparison used. */
  othersShare: number;
  window: Window;
}

export interface Bench {
  monitor: Client;
  databaseUrl: string;
  urls: string[];
  apiPids: number[];
  key: string;
  seconds: number;
}

/** Runs the service under load. */
export async function measureService(
  bench: Bench,
  load: { operations: string[]; userIds: string[]; connections: number },
): Promise<Measure> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-load-'));
  const path = join(folder, 'params.json');
  const params: LoadParams = {
    ...load,
    urls: bench.urls,
    key: bench.key,
    leadMs: LEAD_MS,
    windowMs: bench.seconds * 1000,
  };
  writeFileSync(path, JSON.stringify(params), { mode: 0o600 }); // It holds the API key.
  try {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts'), path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const output = collect(child);
    await output.firstLine;
    child.stdin?.write('\n');
    const usage = await usageInWindow(bench, child);
    const result: unknown = JSON.parse((await output.ended).split('\n')[1] ?? '');
    if (!isLoadResult(result)) throw new Error('the load generator gave no result');
    const { 200: _, ...others } = result.statuses;
    const faults = Object.values(others).reduce((sum, count) => sum + count, result.unanswered);
    return {
      opsPerSecond: result.ops / bench.seconds,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      faults,
      ...(result.firstFault === null ? {} : { firstFault: result.firstFault }),
      ...usageOf(usage, result.ops),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs one script under bare pgbench, 16 clients and 2 threads as in the project's own figures. */
export async function measurePgbench(
  bench: Bench,
  script: string,
  variables: Record<string, string>,
): Promise<Measure> {
  // Made anew for each run: an id says when it was made, and the auditor holds it to that.
  const { rows } = await bench.monitor.query<{ prefix: string }>(
    "select substr(id_floor('aud', now()), 5, 11) as prefix",
  );
  const defines = Object.entries({ ...variables, ...rows[0] }).flatMap(([name, value]) => [
    '-D',
    `${name}=${value}`,
  ]);
  const time = ['-T', String(bench.seconds + LEAD_MS / 1000), '-P', '1'];
  const options = ['-n', '-M', 'prepared', '-c', '16', '-j', '2', ...time, ...defines, '-f', '-'];
  const child = spawn('pgbench', [...options, bench.databaseUrl], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = collect(child);
  let progress = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    progress += chunk.toString();
  });
  child.stdin?.end(script);
  const usage = await usageInWindow(bench, child);
  const summary = await output.ended;
  const lines = [...progress.matchAll(/progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+) ms/g)]
    .map((match) => ({ at: Number(match[1]), tps: Number(match[2]), latMs: Number(match[3]) }))
    .filter((line) => line.at > LEAD_MS / 1000 + 0.5);
  const failed = /number of failed transactions: (\d+)/.exec(summary)?.[1];
  if (lines.length === 0 || failed === undefined) throw new Error(`pgbench: ${progress}`);
  const opsPerSecond = mean(lines.map((line) => line.tps));
  return {
    opsPerSecond,
    p50Ms: mean(lines.map((line) => line.latMs)),
    faults: Number(failed),
    ...usageOf(usage, opsPerSecond * bench.seconds),
  };
}

function collect(child: ChildProcess) {
  let text = '';
  const firstLine = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve();
    });
    child.once('exit', () => reject(new Error('ended before it was ready')));
  });
  firstLine.catch(() => undefined); // Whoever waits for the end hears of it there.
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${child.spawnfile} ended with ${code}`)),
    );
  });
  ended.catch(() => undefined);
  return { firstLine, ended };
}

interface Usage {
  api: number;
  postgres: number;
  load: number;
  othersShare: number;
  window: Window;
}

/** CPU milliseconds of each part over the measured window. */
async function usageInWindow(bench: Bench, child: ChildProcess): Promise<Usage> {
  await sleep(LEAD_MS);
  const groups = {
    api: bench.apiPids,
    postgres: await postgresPids(bench.monitor),
    load: child.pid === undefined ? [] : [child.pid],
  };
  const sample = () => ({
    at: monotonicMicros(),
    machine: machineBusyMs(),
    api: sampleCpu(groups.api),
    postgres: sampleCpu(groups.postgres),
    load: sampleCpu(groups.load),
  });
  const before = sample();
  // Ends a little early: a process that has ended can't be asked.
  await sleep(bench.seconds * 1000 - 150);
  const after = sample();
  const api = cpuMsBetween(before.api, after.api);
  const postgres = cpuMsBetween(before.postgres, after.postgres);
  const load = cpuMsBetween(before.load, after.load);
  const spanMs = (after.at - before.at) / 1000;
  const others = after.machine - before.machine - api - postgres - load;
  const scale = (bench.seconds * 1000) / spanMs;
  return {
    api: api * scale,
    postgres: postgres * scale,
    load: load * scale,
    othersShare: Math.max(0, others / (spanMs * availableParallelism())),
    window: { from: before.at, to: after.at },
  };
}

function usageOf(
  usage: Usage,
  ops: number,
): Pick<Measure, 'cpuUsPerOp' | 'othersShare' | 'window'> {
  const share = (ms: number) => (ops > 0 ? (ms * 1000) / ops : 0);
  const { othersShare, window } = usage;
  return {
    cpuUsPerOp: {
      api: share(usage.api),
      postgres: share(usage.postgres),
      load: share(usage.load),
    },
    othersShare,
    window,
  };
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
