//! `npm run test:crash-matrix`: kills the worker at every place of every saga under every answer;
//! each order must end right, with each effect once.
import { inLanes } from '../harness/lanes.ts';
import { say, secondsSince } from '../harness/report.ts';
import { auditRun, runHarness } from '../harness/run.ts';
import { type Cell, type Result, variantName } from './cell.ts';
import { coverageOf } from './coverage.ts';
import { explore } from './explore.ts';
import { COMMAND, type MatrixOptions, sliceOf } from './options.ts';
import { figuresText, matrixText } from './report.ts';
import { runCell, wrongText } from './run-cell.ts';
import { openStage, type Stage } from './stage.ts';

async function crashMatrix(options: MatrixOptions): Promise<string[]> {
  const begunAt = performance.now();
  const slice = sliceOf(options);
  const stage = await openStage(options);
  try {
    const runAll = (cells: readonly Cell[]) => runInLanes(stage, cells, options, begunAt);
    const { plain, cells } = await explore(options, slice, runAll);
    const variants = new Set(plain.map(variantName)).size;
    const coverage = coverageOf(plain);
    say(`${coverage.text}${variants} sagas and answers, ${cells.length} places to die at`);
    const struck = await runAll(cells);
    const results = [...plain, ...struck];
    const faults = await auditRun({ ...stage, isConverged: true });
    say(`\n${matrixText(results)}\n${figuresText(results)}${await deathsText(stage, begunAt)}`);
    say(`${struck.filter(({ isMissed }) => !isMissed).length} places were struck`);
    const wrong = results.filter((result) => result.wrong.length > 0);
    say(`${results.length} cells, ${wrong.length} wrong`);
    return [
      ...coverage.missing,
      ...faults,
      ...notStruck(struck, stage.deaths()),
      ...(struck.length < cells.length ? ['not every cell was begun in time'] : []),
      ...wrong.map(wrongText),
    ];
  } finally {
    await stage.stop();
  }
}

async function deathsText({ monitor, calm, deaths }: Stage, begunAt: number): Promise<string> {
  const { rowCount } = await monitor.query(`select from envelope where result = 'overtaken'`);
  return (
    `${deaths()} workers died in ${secondsSince(begunAt)}; ` +
    `${calm.waits()} cells waited for one that took long; ` +
    `${rowCount} envelopes lost their number to another`
  );
}

/** Whoever took the file that arms its place is gone: at least as many deaths as cells. */
function notStruck(struck: readonly Result[], deaths: number): string[] {
  const meant = struck.filter(({ isMissed }) => !isMissed).length;
  return deaths >= meant ? [] : [`${meant} places were struck, and only ${deaths} workers died`];
}

const TRIES_MAX = 4;
const SAY_EVERY = 100;

/** Side by side: whoever dies takes the work of others with it, which must not matter either. */
async function runInLanes(
  stage: Stage,
  cells: readonly Cell[],
  { lanes, minutes, webhooks }: MatrixOptions,
  begunAt: number,
): Promise<Result[]> {
  let ended = 0;
  const results = await inLanes(cells, lanes, async (cell) => {
    if (performance.now() - begunAt > minutes * 60_000) return undefined;
    const result = await runUntilStruck(stage, cell, webhooks);
    ended += 1;
    if (ended % SAY_EVERY === 0) say(`${ended} of ${cells.length}`);
    if (result.wrong.length > 0) say(`WRONG ${wrongText(result)}`);
    return result;
  });
  return results.filter((result) => result !== undefined);
}

/**
 * A neighbour's death may lead around the place. A webhook may do so however often it is run: only
 * then is a place that was not met no fault.
 */
async function runUntilStruck(stage: Stage, cell: Cell, hasWebhooks: boolean): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const result = await runCell(stage, cell);
    if (result.wrong.length > 0 || !result.isMissed) return result;
    if (tries < TRIES_MAX) continue;
    return hasWebhooks ? result : { ...result, wrong: ['the place or the fault was not met'] };
  }
}

await runHarness(COMMAND, crashMatrix);
