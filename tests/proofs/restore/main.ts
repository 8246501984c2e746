//! `npm run drill:restore`: a set at work is killed, and its database is set back by a backup and
//! its archive, a backup alone, a copy of its files or a dump. No withdrawal may be paid twice.
import { WAYS } from '../../harness/restorable-postgres.ts';
import { runDrill } from './drill.ts';
import { RESTORE_CANARIES } from './protections.ts';
import { planRound, roundText, runRound } from './round.ts';

await runDrill({
  name: 'npm run drill:restore',
  program: 'tests/proofs/restore/main.ts',
  ways: Object.fromEntries(
    WAYS.flatMap((way) => [
      [way, { way, wiped: false }],
      [`${way}-wiped`, { way, wiped: true }],
    ]),
  ),
  quickWay: 'copy',
  canaries: RESTORE_CANARIES,
  run: async (way, random, { number, isQuick, logFile }) => {
    // Every other round loses one payment: then the other channels are free to repeat it.
    const plan = planRound(random, { ...way, isQuiet: number % 2 === 1 }, isQuick);
    const round = await runRound(plan, logFile);
    return { text: roundText(round), outcome: round };
  },
});
