//! `npm run drill:failover`: the primary of a set at work is killed or frozen, and its standby
//! takes over, with or without the last writes. No withdrawal may be paid twice.
import { runDrill } from '../restore/drill.ts';
import { FAILOVER_CANARIES } from '../restore/protections.ts';
import { planRound, roundText, runRound, WAYS } from './round.ts';

await runDrill({
  name: 'npm run drill:failover',
  program: 'tests/proofs/failover/main.ts',
  ways: WAYS,
  quickWay: 'lossy-killed',
  canaries: FAILOVER_CANARIES,
  run: async (way, random, { isQuick, logFile }) => {
    const round = await runRound(planRound(random, way, isQuick), logFile);
    return { text: roundText(round), outcome: round };
  },
});
