//! Runs the cells: arms the fault, calls until the outcome is known, counts the effects.
import { prepare } from './attempts.ts';
import { CELLS, type Cell, type Classification, type Result } from './cell.ts';
import { openDatabase, openStage, type Stage } from './stage.ts';

/** Two processes at most: each is a world of its own, and the cells of one never meet. */
const STAGES = 2;
const CALLS_MAX = 6;
/** Longer than any envelope stays valid. */
const BEYOND_SECONDS = 600;

export async function runMatrix(cells: readonly Cell[] = CELLS): Promise<Result[]> {
  const database = await openDatabase();
  try {
    const lanes = Array.from({ length: STAGES }, async (_, lane) => {
      const stage = await openStage(database);
      try {
        const results: Result[] = [];
        for (const cell of cells.filter((__, at) => at % STAGES === lane)) {
          results.push(await runCell(stage, cell));
        }
        return results;
      } finally {
        await stage.stop();
      }
    });
    const settled = await Promise.allSettled(lanes);
    return settled.flatMap((lane) => {
      if (lane.status === 'rejected') throw lane.reason;
      return lane.value;
    });
  } finally {
    await database.close();
  }
}

async function runCell(stage: Stage, cell: Cell): Promise<Result> {
  const { sandbox } = stage;
  const attempt = await prepare(stage, cell);
  const before = (await sandbox.journal()).length;
  await arm(stage, cell);
  const outcomes: Classification[] = [];
  do {
    // An envelope that never gets through is waited for until it can't any more.
    if (cell.fault === 'never' && outcomes.length === 3) await sandbox.advance(BEYOND_SECONDS);
    outcomes.push((await attempt.call()).kind);
  } while (outcomes.at(-1) === 'unknown' && outcomes.length < CALLS_MAX);
  await sandbox.clearFaults();
  const effects = (await sandbox.journal(before)).filter((entry) => attempt.isEffect(entry));
  return {
    ...cell,
    first: outcomes[0] ?? 'unknown',
    final: outcomes.at(-1) ?? 'unknown',
    calls: outcomes.length,
    effects: effects.length,
  };
}

async function arm({ sandbox }: Stage, { provider, operation, fault }: Cell): Promise<void> {
  // A look-up happens only when the answer to sending was lost.
  if (operation === 'lookup') await sandbox.arm('ledger', 'submit', 'drop-after');
  if (fault === 'none') return;
  if (fault === 'never') await sandbox.arm(provider, operation, 'error-before', 1_000);
  else await sandbox.arm(provider, operation, fault);
}
