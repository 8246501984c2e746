//! Runs one script under pgbench, with the CPU that each process used meanwhile.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../tests/harness/wait.ts';
import { type Monitor, type Pids, type Usage, watchUsage } from './usage.ts';

export interface PgbenchRun {
  readonly clients: number;
  /** Measured seconds. */
  readonly seconds: number;
  /** Before them, and not counted: new backends fill their caches. */
  readonly leadSeconds?: number;
  readonly script: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Watched beside PostgreSQL and pgbench itself. */
  readonly pids?: Pids;
}

export interface PgbenchResult {
  /** Those of the lead-in too. */
  readonly transactions: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly meanMs: number;
  readonly usage: Usage;
}

const CONNECT_MS_MAX = 10_000;
/** The CPU time of an ended process cannot be read, so the window ends a little early. */
const EARLY_MS = 300;

export async function runPgbench(
  { databaseUrl, monitor }: { databaseUrl: string; monitor: Monitor },
  { clients, seconds, leadSeconds = 0, script, variables, pids = {} }: PgbenchRun,
): Promise<PgbenchResult> {
  const defines = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const load = ['-c', String(clients), '-j', '2', '-T', String(leadSeconds + seconds), '-P', '1'];
  const args = ['-n', '-M', 'prepared', ...load, ...defines, '-f', '-', databaseUrl];
  const child = spawn('pgbench', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(script);
  // Its time starts when its connections are open; before that their processes are unknown.
  const isConnected = async () => {
    const { rowCount } = await monitor.query(
      `select from pg_stat_activity
       where application_name = 'pgbench' and datname = current_database()`,
    );
    return (rowCount ?? 0) >= clients || child.exitCode !== null;
  };
  await within(CONNECT_MS_MAX, isConnected, 10);
  await sleep(leadSeconds * 1000);
  const stopWatching = await watchUsage(monitor, { ...pids, load: child.pid });
  await Promise.race([ended, sleep(seconds * 1000 - EARLY_MS)]);
  const usage = stopWatching();
  const code = await ended;
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
  const transactions = number(/transactions actually processed: (\d+)/);
  const failed = number(/number of failed transactions: (\d+)/);
  if (code !== 0 || Number.isNaN(transactions + failed))
    throw new Error(`pgbench ended with ${code}: ${output}`);
  const lines = [...output.matchAll(/progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+) ms/g)]
    .map((line) => line.slice(1).map(Number) as [at: number, tps: number, latencyMs: number])
    .filter(([at]) => at > leadSeconds + 0.5);
  // The last second is not always printed; then the summary is used, lead-in included.
  if (lines.length === 0)
    lines.push([0, number(/tps = ([\d.]+)/), number(/latency average = ([\d.]+)/)]);
  const mean = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((sum, line) => sum + of(line), 0) / lines.length;
  return { transactions, failed, perSecond: mean((l) => l[1]), meanMs: mean((l) => l[2]), usage };
}
