//! `npm run test:crash-matrix`: kills the worker at every crash point of every saga of orders and
//! payments and of every job that moves money, under every reply; each must end correctly, with
//! each effect once.
import { inLanes } from '../../harness/lanes.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import { type Cell, type Result, variantName } from './cell.ts';
import { coverageOf } from './coverage.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { explore } from './explore.ts';
import { COMMAND, type MatrixOptions, sliceOf } from './options.ts';
import { figuresText, matrixText } from './report.ts';
import { runCell, wrongText } from './run-cell.ts';

async function crashMatrix(options: MatrixOptions): Promise<string[]> {
  const startedAt = performance.now();
  const slice = sliceOf(options);
  await using environment = await openEnvironment(options);
  const runAll = (cells: readonly Cell[]) => runInLanes(environment, cells, options, startedAt);
  const { plain, cells } = await explore(options, slice, runAll);
  const variants = new Set(plain.map(variantName)).size;
  const coverage = coverageOf(plain);
  print(`${coverage.text}${variants} sagas with replies, ${cells.length} crash points`);
  const crashed = await runAll(cells);
  const results = [...plain, ...crashed];
  const faults = await auditRun({ ...environment, isConverged: true });
  print(
    `\n${matrixText(results)}\n${figuresText(results)}${await deathsText(environment, startedAt)}`,
  );
  print(`${crashed.filter(({ isMissed }) => !isMissed).length} crash points were hit`);
  const wrong = results.filter((result) => result.wrong.length > 0);
  print(`${results.length} cells, ${wrong.length} wrong`);
  return [
    ...(results.length === 0 ? [`--only ${options.only} selects no cell`] : []),
    ...coverage.missing,
    ...faults,
    ...notHit(crashed, environment.deaths()),
    ...(crashed.length < cells.length ? ['not every cell was started in time'] : []),
    ...wrong.map(wrongText),
  ];
}

async function deathsText(
  { monitor, idleGate, deaths }: Environment,
  startedAt: number,
): Promise<string> {
  const { rowCount } = await monitor.query(`select from envelope where result = 'overtaken'`);
  return (
    `${deaths()} workers crashed in ${secondsSince(startedAt)}; ` +
    `${idleGate.waits()} cells waited for one that took long; ` +
    `${rowCount} envelopes were overtaken: another used their sequence number`
  );
}

/** A worker that takes the file of its crash point exits: at least as many crashes as cells. */
function notHit(crashed: readonly Result[], deaths: number): string[] {
  const hits = crashed.filter(({ isMissed }) => !isMissed).length;
  return deaths >= hits
    ? []
    : [`${hits} crash points were hit, and only ${deaths} workers crashed`];
}

const TRIES_MAX = 4;
const PRINT_EVERY = 100;

/** Runs cells in parallel: a crash also interrupts work of other cells, which must not matter. */
async function runInLanes(
  environment: Environment,
  cells: readonly Cell[],
  { lanes, minutes, webhooks }: MatrixOptions,
  startedAt: number,
): Promise<Result[]> {
  let ended = 0;
  const results = await inLanes(cells, lanes, async (cell) => {
    if (performance.now() - startedAt > minutes * 60_000) return undefined;
    const result = await runUntilHit(environment, cell, webhooks);
    ended += 1;
    if (ended % PRINT_EVERY === 0) print(`${ended} of ${cells.length}`);
    if (result.wrong.length > 0) print(`WRONG ${wrongText(result)}`);
    return result;
  });
  return results.filter((result) => result !== undefined);
}

/**
 * Another cell's crash may lead the saga past its crash point, so the cell is run again. A webhook
 * may do so every time: only then is a missed crash point no fault.
 */
async function runUntilHit(
  environment: Environment,
  cell: Cell,
  hasWebhooks: boolean,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const result = await runCell(environment, cell);
    if (result.wrong.length > 0 || !result.isMissed) return result;
    if (tries < TRIES_MAX) continue;
    return hasWebhooks
      ? result
      : { ...result, wrong: ['the crash point or the fault was not reached'] };
  }
}

await runHarness(COMMAND, crashMatrix);
