//! Every operation of every provider under every fault: `npm run test:provider-matrix`.
import { flag } from '../harness/options.ts';
import { say, secondsSince } from '../harness/report.ts';
import { runHarness } from '../harness/run.ts';
import { CELLS, isAsExpected } from './cell.ts';
import { cellText, matrixText } from './report.ts';
import { runMatrix } from './run.ts';

const SAMPLE_EVERY = 8;
const options = { quick: flag(`every ${SAMPLE_EVERY}th cell only`) };

await runHarness({ name: 'npm run test:provider-matrix', options }, async ({ quick }) => {
  const begunAt = performance.now();
  const results = await runMatrix(CELLS.filter((_, at) => !quick || at % SAMPLE_EVERY === 0));
  say(`${matrixText(results)}${results.length} cells in ${secondsSince(begunAt)}`);
  const wrong = results.filter((result) => !isAsExpected(result));
  return wrong.map((each) => `${each.provider} ${each.operation} ${each.fault}: ${cellText(each)}`);
});
