//! One script under pgbench, with the CPU that everybody used meanwhile.
import { spawn } from 'node:child_process';
import type { Client } from 'pg';
import { type Usage, watchUsage } from './usage.ts';

export interface PgbenchRun {
  clients: number;
  seconds: number;
  script: string;
  variables: Record<string, string>;
}

export interface PgbenchResult {
  transactions: number;
  perSecond: number;
  usage: Usage;
}

/** `pids` are watched beside PostgreSQL and pgbench itself. */
export async function runPgbench(
  { databaseUrl, monitor }: { databaseUrl: string; monitor: Client },
  { clients, seconds, script, variables }: PgbenchRun,
  pids: Readonly<Record<string, number>> = {},
): Promise<PgbenchResult> {
  const defines = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const load = ['-c', String(clients), '-j', '2', '-T', String(seconds)];
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
  // Its connections must stand before they can be told apart from others.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const stopWatching = await watchUsage(monitor, { ...pids, pgbench: child.pid });
  // A process that has ended can't be asked, so the window ends a little early.
  const usage = await new Promise<Usage>((resolve) => {
    setTimeout(() => resolve(stopWatching()), seconds * 1000 - 600);
  });
  const code = await ended;
  const transactions = /transactions actually processed: (\d+)/.exec(output)?.[1];
  const perSecond = /tps = ([\d.]+)/.exec(output)?.[1];
  if (code !== 0 || transactions === undefined || perSecond === undefined) {
    throw new Error(`pgbench ended with ${code}: ${output}`);
  }
  return { transactions: Number(transactions), perSecond: Number(perSecond), usage };
}
