//! `npm run check`: everything CI checks, one step after the other; ends with "N passed, N failed".
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServices } from './services.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** The step prints "N passed, N failed" itself; without it the step counts as one. */
  readonly isCounted?: true;
}

const node = ['node', '--conditions=@holdfast/source'];

const STEPS: readonly Step[] = [
  { name: 'types', command: ['npm', 'run', '-s', 'types'] },
  { name: 'lint', command: ['npm', 'run', '-s', 'lint'] },
  { name: 'imports', command: ['npm', 'run', '-s', 'imports'] },
  { name: 'unused', command: ['npm', 'run', '-s', 'unused'] },
  { name: 'tests', command: ['npm', 'run', '-s', 'test'], isCounted: true },
  { name: 'conformance', command: ['npm', 'run', '-s', 'conformance'], isCounted: true },
  { name: 'quickstart', command: [...node, 'tests/quickstart/main.ts', '--quick'] },
  { name: 'console', command: [...node, 'tests/console/main.ts', '--quick'], isCounted: true },
  { name: 'crash', command: [...node, 'tests/crash/books.ts', '--rounds', '2', '--seconds', '3'] },
  { name: 'crash-matrix', command: [...node, 'tests/crash-matrix/main.ts', '--cells', '40'] },
  { name: 'chaos', command: [...node, 'tests/chaos-events/main.ts', '--quick'] },
  { name: 'chaos:orders', command: ['npm', 'run', '-s', 'chaos', '--', '--quick'] },
  { name: 'webhooks', command: [...node, 'tests/webhooks-out/main.ts', '--quick'] },
  { name: 'bench', command: [...node, 'bench/books.ts', '--quick'] },
];

const COUNT = /^(\d+) passed, (\d+) failed/gm;

/** How much of a failed step is said again at the end: a log that is cut loses its beginning. */
const LINES_SAID_AGAIN = 100;

async function main(): Promise<number> {
  const wanted = process.argv.slice(2);
  const services = await startServices();
  // Processes are started all the time: they should not compile anew.
  const cache = join(tmpdir(), 'holdfast-compile-cache');
  const env = { NODE_COMPILE_CACHE: cache, ...process.env, ...services.env };
  let [passed, failed] = [0, 0];
  const saidAgain: string[] = [];
  try {
    for (const step of STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      const begun = performance.now();
      process.stdout.write(`\n── ${step.name}\n`);
      const { code, output } = await run(step.command, env);
      const count = step.isCounted ? [...output.matchAll(COUNT)].at(-1) : undefined;
      const isGood = code === 0 && (!step.isCounted || count !== undefined);
      passed += count ? Number(count[1]) : isGood ? 1 : 0;
      failed += Math.max(count ? Number(count[2]) : 0, isGood ? 0 : 1);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const verdict = `── ${step.name}: ${isGood ? 'ok' : 'FAILED'} in ${seconds} s\n`;
      process.stdout.write(verdict);
      if (!isGood) saidAgain.push(`${verdict}${endOf(output)}\n`);
    }
  } finally {
    await services.stop();
  }
  if (saidAgain.length > 0) process.stdout.write(`\n══ what failed\n${saidAgain.join('\n')}`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function endOf(output: string): string {
  return output.trimEnd().split('\n').slice(-LINES_SAID_AGAIN).join('\n');
}

/** Its output is passed on as it comes and kept, both streams in one. */
function run(
  [program, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program as string, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const passOn = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      to.write(chunk);
    };
    child.stdout.on('data', passOn(process.stdout));
    child.stderr.on('data', passOn(process.stderr));
    child.once('error', () => resolve({ code: 1, output }));
    child.once('close', (code) => resolve({ code, output }));
    // A process that a step left behind keeps the streams open; we do not wait for it.
    child.once('exit', (code) => setTimeout(() => resolve({ code, output }), 5000).unref());
  });
}

process.exit(await main());
