//! Whether an attempt can be seen afterwards: an audit entry, or a line in a process's log.
import { within } from '../../harness/wait.ts';
import type { Attack } from './attack.ts';
import type { AttackWorld } from './world.ts';

const EVIDENCE_MS_MAX = 60_000;
const WARNING = 40;

/** The evidence as a phrase; undefined if there was none within a minute. */
export async function findEvidence(
  { logLines, monitor }: AttackWorld,
  { evidence }: Attack,
  since: Date,
): Promise<string | undefined> {
  if (evidence.kind === 'none') return `none: ${evidence.because}`;
  const isThere =
    evidence.kind === 'alarm'
      ? () =>
          logLines().some(
            ({ level, time, msg }) =>
              level >= WARNING && msg === evidence.text && new Date(time) >= since,
          )
      : async () => {
          const text = 'select from audit where action = $1 and occurred_at >= $2 limit 1';
          return (await monitor.query(text, [evidence.action, since])).rowCount === 1;
        };
  const name =
    evidence.kind === 'alarm' ? `alarm "${evidence.text}"` : `audit entry ${evidence.action}`;
  return (await within(EVIDENCE_MS_MAX, isThere, 250)) ? name : undefined;
}
