//! Has the auditor look at what the run left: kills of the sequencer must not break a chain either.
import { runAuditor } from '../auditor/run-auditor.ts';

/** What it found wrong, line by line. */
export async function findAuditFaults(databaseUrl: string): Promise<readonly string[]> {
  return (await runAuditor(['--database', databaseUrl])).faults;
}
