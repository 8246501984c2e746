//! `npm run test:crash-matrix`: kills the worker at every place of every saga under every answer;
//! each order must end right, with each effect once.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Cell, type Result, variantName } from './cell.ts';
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
    say(`${variants} sagas and answers, ${cells.length} places to die at\n`);
    const struck = await runAll(cells);
    const results = [...plain, ...struck];
    const isAudited = await audit(stage);
    const wrong = results.filter((result) => result.wrong.length > 0);
    say(`\n${matrixText(results)}\n${figuresText(results)}`);
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(0);
    say(`${stage.deaths()} workers died in ${seconds} s\n`);
    const left = cells.length - struck.length;
    if (left > 0) say(`${left} cells were not begun in time\n`);
    say(`${results.length} cells, ${wrong.length} wrong\n`);
    return wrong.length === 0 && isAudited ? 0 : 1;
  } finally {
    await stage.stop();
  }
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

/** A neighbour's death may lead around the place, and so may a webhook, however often it is run. */
async function runUntilStruck(stage: Stage, cell: Cell, hasWebhooks: boolean): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const result = await runCell(stage, cell);
    if (result.wrong.length > 0 || !result.isMissed) return result;
    if (tries < TRIES_MAX) continue;
    return hasWebhooks ? result : { ...result, wrong: ['the place or the fault was not met'] };
  }
}

async function audit({ databaseUrl, sandbox }: Stage): Promise<boolean> {
  const path = join(import.meta.dirname, '..', 'auditor', 'main.ts');
  const options = ['--database', databaseUrl, '--sandbox', sandbox, '--converged'];
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, [path, ...options], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
  say(`auditor: exit ${code}\n`);
  return code === 0;
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await crashMatrix(options);
