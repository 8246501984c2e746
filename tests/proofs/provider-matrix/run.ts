//! Runs the cells: arms the fault, calls until the outcome is known, and counts the effects.
import { prepare } from './attempts.ts';
import { CELLS, type Cell, type Classification, type Result } from './cell.ts';
import { type Environment, openEnvironment, openTransactor } from './environment.ts';

/** At most two processes, each with a sandbox of its own, so that cells do not interfere. */
const STAGES = 2;
const CALLS_MAX = 6;
/** Longer than any envelope stays valid. */
const BEYOND_SECONDS = 600;

export async function runMatrix(cells: readonly Cell[] = CELLS): Promise<Result[]> {
  await using database = await openTransactor();
  const lanes = Array.from({ length: STAGES }, async (_, lane) => {
    await using environment = await openEnvironment(database);
    const results: Result[] = [];
    for (const cell of cells.filter((__, at) => at % STAGES === lane)) {
      results.push(await runCell(environment, cell));
    }
    return results;
  });
  const settled = await Promise.allSettled(lanes);
  return settled.flatMap((lane) => {
    if (lane.status === 'rejected') throw lane.reason;
    return lane.value;
  });
}

async function runCell(environment: Environment, cell: Cell): Promise<Result> {
  const { sandbox } = environment;
  const attempt = await prepare(environment, cell);
  const before = (await sandbox.journal()).length;
  await arm(environment, cell);
  const outcomes: Classification[] = [];
  do {
    // An envelope that never gets through is retried until it has expired.
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

async function arm({ sandbox }: Environment, { provider, operation, fault }: Cell): Promise<void> {
  // A lookup happens only if the reply to the submission was lost.
  if (operation === 'lookup') await sandbox.arm('ledger', 'submit', 'drop-after');
  if (fault === 'none') return;
  if (fault === 'never') await sandbox.arm(provider, operation, 'error-before', 1_000);
  else await sandbox.arm(provider, operation, fault);
}
