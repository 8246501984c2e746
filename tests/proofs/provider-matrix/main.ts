//! `npm run test:provider-matrix`: every operation of every provider under every fault.
import { flag } from '../../harness/options.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { CELLS, isAsExpected } from './cell.ts';
import { cellText, matrixText } from './report.ts';
import { runMatrix } from './run.ts';

const SAMPLE_EVERY = 8;
const options = { quick: flag(`every ${SAMPLE_EVERY}th cell only`) };

await runHarness({ name: 'npm run test:provider-matrix', options }, async ({ quick }) => {
  const startedAt = performance.now();
  const results = await runMatrix(CELLS.filter((_, at) => !quick || at % SAMPLE_EVERY === 0));
  print(`${matrixText(results)}${results.length} cells in ${secondsSince(startedAt)}`);
  const wrong = results.filter((result) => !isAsExpected(result));
  return wrong.map((each) => `${each.provider} ${each.operation} ${each.fault}: ${cellText(each)}`);
});
