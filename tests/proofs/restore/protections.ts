//! The protections that the drills take out, each in rounds in which it matters.
import type { Canary } from './canaries.ts';

const RECOVERY = 'apps/server/src/assurance/recovery';

/** Without Restate's mark, nothing shows that a copy was put back until a payment is repeated. */
const UNSEEN = 'copy-wiped';

export const RESTORE_CANARIES: readonly Canary[] = [
  {
    name: 'no known numbers',
    way: UNSEEN,
    file: 'apps/server/src/platform/database/functions/work/lineage/is_known_number.sql',
    find: 'return mod(wanted_sequence - 1, 4294967296) = 0 or exists (',
    replace: 'return true or exists (',
    why: 'a forgotten transaction does not bar its account',
  },
  {
    name: 'any channel',
    way: UNSEEN,
    file: 'apps/server/src/accounts/custody/send-payments.ts',
    find: 'isComplete ? pickFor(withdrawalId, channels) : undefined;',
    replace: 'isComplete ? channels[Math.floor(Math.random() * channels.length)] : undefined;',
    why: 'a forgotten payment and its repetition do not compete for one sequence number',
  },
  {
    name: 'no lineage check',
    way: 'copy',
    file: `${RECOVERY}/check-lineage.ts`,
    find: '  // What was lost before and is not found yet stays lost.\n',
    replace: '  return undefined;\n',
    why: 'a database that was set back is not closed',
  },
];

export const FAILOVER_CANARIES: readonly Canary[] = [
  {
    name: 'no transactions',
    way: 'lossy-killed',
    file: `${RECOVERY}/find-transactions.ts`,
    find: 'of await listHouseAddresses(run.app.pool)) {',
    replace: 'of (await listHouseAddresses(run.app.pool)).slice(0, 0)) {',
    why: 'what was paid in the lost time is not found',
  },
  {
    name: 'no findings',
    way: 'lossy-killed',
    file: `${RECOVERY}/settle-payout.ts`,
    find: '  for (const each of outgoing) await report(run, unrecorded, each);\n',
    replace:
      '  if (run.lineage < 0) for (const each of outgoing) await report(run, unrecorded, each);\n',
    why: 'a payment without a withdrawal is not reported',
  },
  {
    name: 'payouts while promoted',
    way: 'synchronous-killed',
    file: 'apps/server/src/platform/database/lineage.ts',
    find: "if (status === 'OPEN' || (status === 'PROMOTED' && !isPayout)) return undefined;",
    replace: "if (status === 'OPEN' || status === 'PROMOTED') return undefined;",
    why: 'a standby pays before it is known what it may have missed',
  },
];
