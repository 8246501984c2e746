//! What the service itself reports as lost. A drill counts an acknowledged write that is missing as
//! silent, unless a finding names it.
import { spawnSync } from 'node:child_process';
import { EXITS } from '../../../apps/cli/src/exit-codes.ts';
import { HOLDFAST } from '../../harness/command-line.ts';
import type { Run } from './environment.ts';
import type { Acknowledged } from './load.ts';
import type { Finding } from './recovery.ts';

const TRIES_MAX = 5;

/**
 * Hands the logs of the API servers in, which were killed: a command reports those of their
 * acknowledged writes that are lost. Called when the recovery has ended, before the opening.
 */
export function handInLogs({ master, logFile }: Pick<Run, 'master' | 'logFile'>): void {
  const env = { ...process.env, HOLDFAST_URL: master.api, HOLDFAST_MASTER_KEY: master.apiKey };
  const args = [...HOLDFAST, 'recover', 'log', logFile];
  for (let tries = 1; ; tries += 1) {
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    if (status === EXITS.ok.code || status === EXITS.failed.code) return;
    // A connection to the old server may be the first that is used again.
    if (status !== EXITS.later.code || tries === TRIES_MAX)
      throw new Error(`holdfast recover log ended with ${status}: ${stderr}`);
  }
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
