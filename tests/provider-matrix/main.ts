//! Every operation of every provider under every fault: `npm run test:provider-matrix`.
import { isAsExpected } from './cell.ts';
import { matrixText } from './report.ts';
import { runMatrix } from './run.ts';

const begun = performance.now();
const results = await runMatrix();
const wrong = results.filter((result) => !isAsExpected(result));
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
process.stdout.write(matrixText(results));
process.stdout.write(`${results.length} cells in ${seconds} s, ${wrong.length} wrong\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
