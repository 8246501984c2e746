//! What the service itself reports as lost. A drill counts an acknowledged write that is missing as
//! silent, unless a finding names it.
import type { Run } from './environment.ts';
import type { Acknowledged } from './load.ts';
import type { Finding } from './recovery.ts';

/** Whether a write that is missing and not reported fails the drill. Not yet: nothing reports. */
export const IS_SILENCE_WRONG = false;

/**
 * Hands the logs of the API servers in, `run.logFile`: the service reports those of the requests in
 * them whose writes it does not have. Called when the recovery has ended, before the opening.
 */
export async function handInLogs(_run: Run): Promise<void> {
  // `holdfast recover log` does not exist yet.
}

export function reportedOf(
  findings: readonly Finding[],
  missing: readonly Acknowledged[],
): readonly Acknowledged[] {
  const named = new Set(findings.flatMap(({ reference, resourceId }) => [reference, resourceId]));
  return missing.filter(({ id, requestId }) => named.has(requestId) || named.has(id));
}
