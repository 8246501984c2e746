//! What the service itself reports as lost. A drill counts an acknowledged write that is missing as
//! silent, unless a finding names it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { EXITS } from '../../../apps/cli/src/exit-codes.ts';
import { HOLDFAST } from '../../harness/command-line.ts';
import type { Run } from './environment.ts';
import type { Acknowledged } from './load.ts';
import type { Finding } from './recovery.ts';

/**
 * Hands the logs of the API servers in, which were killed: a command reports those of their
 * acknowledged writes that are lost. Called when the recovery has ended, before the opening. It is
 * not waited for synchronously: the database may be reached through this process.
 */
export async function handInLogs({
  master,
  logFile,
}: Pick<Run, 'master' | 'logFile'>): Promise<void> {
  const env = { ...process.env, HOLDFAST_URL: master.api, HOLDFAST_MASTER_KEY: master.apiKey };
  const args = [...HOLDFAST, 'recover', 'log', logFile];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors += piece;
  });
  const [status] = await once(child, 'close');
  if (status !== EXITS.ok.code && status !== EXITS.failed.code)
    throw new Error(`holdfast recover log ended with ${status}: ${errors}`);
}

export function reportedOf(
  findings: readonly Finding[],
  missing: readonly Acknowledged[],
): readonly Acknowledged[] {
  const named = new Set(
    findings.flatMap(({ reference, resourceId }) => [reference.split('/')[0], resourceId]),
  );
  return missing.filter(({ id, requestId }) => named.has(requestId) || named.has(id));
}
