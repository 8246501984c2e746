//! `npm run test:crash-matrix`: kills the worker at every place of every saga under every answer;
//! each order must end right, with each effect once.
import { runAuditor } from '../auditor/run-auditor.ts';
import { type Cell, type Result, variantName } from './cell.ts';
import { coverageOf } from './coverage.ts';
import { explore } from './explore.ts';
import { type MatrixOptions, readOptions } from './options.ts';
import { figuresText, matrixText } from './report.ts';
import { runCell, wrongText } from './run-cell.ts';
import { openStage, type Stage } from './stage.ts';

const say = (text: string) => process.stdout.write(text);

async function crashMatrix(options: MatrixOptions): Promise<number> {
  const begunAt = performance.now();
  say(`seed ${options.seed} (${options.seedFrom})\n`);
  const stage = await openStage(options);
  try {
    const runAll = (cells: readonly Cell[]) => runInLanes(stage, cells, options, begunAt);
    const { plain, cells } = await explore(options, runAll);
    const variants = new Set(plain.map(variantName)).size;
    const coverage = coverageOf(plain);
    say(`${coverage.text}${variants} sagas and answers, ${cells.length} places to die at\n`);
    const struck = await runAll(cells);
    const results = [...plain, ...struck];
    const isAudited = await audit(stage);
    say(`\n${matrixText(results)}\n${figuresText(results)}${await deathsText(stage, begunAt)}`);
    say(`${struck.filter(({ isMissed }) => !isMissed).length} places were struck\n`);
    const faults = [
      ...coverage.missing,
      ...(isAudited ? [] : ['the auditor found something']),
      ...notStruck(struck, stage.deaths()),
      ...(struck.length < cells.length ? ['not every cell was begun in time'] : []),
    ];
    for (const fault of faults) say(`WRONG ${fault}\n`);
    const wrong = results.filter((result) => result.wrong.length > 0);
    say(`${results.length} cells, ${wrong.length} wrong\n`);
    return wrong.length === 0 && faults.length === 0 ? 0 : 1;
  } finally {
    await stage.stop();
  }
}

async function deathsText(stage: Stage, begunAt: number): Promise<string> {
  const { monitor, calm } = stage;
  const { rowCount } = await monitor.query(`select from envelope where result = 'overtaken'`);
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(0);
  return (
    `${stage.deaths()} workers died in ${seconds} s; ${calm.waits()} cells waited for one that took long; ` +
    `${rowCount} envelopes lost their number to another\n`
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
  { lanes, minutes, hasWebhooks }: MatrixOptions,
  begunAt: number,
): Promise<Result[]> {
  const results: Result[] = [];
  let ended = 0;
  const waiting = cells.entries();
  const runLane = async () => {
    for (const [at, cell] of waiting) {
      if (performance.now() - begunAt > minutes * 60_000) return;
      const result = await runUntilStruck(stage, cell, hasWebhooks);
      results[at] = result;
      ended += 1;
      if (ended % SAY_EVERY === 0) say(`${ended} of ${cells.length}\n`);
      if (result.wrong.length > 0) say(`WRONG ${wrongText(result)}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
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

async function audit({ databaseUrl, sandbox }: Stage): Promise<boolean> {
  const options = ['--database', databaseUrl, '--sandbox', sandbox, '--converged'];
  const { said, summary, isClean } = await runAuditor(options);
  say(`${said}auditor: ${summary}\n`);
  return isClean;
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await crashMatrix(options);
