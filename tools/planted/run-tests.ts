//! Runs some test files in a checkout, up to the first failure.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Failure {
  readonly file: string;
  readonly test: string;
}

export type TestRun =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] }
  | { readonly kind: 'broken'; readonly reason: string };

export interface RunSettings {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly workers: number | undefined;
  readonly msMax: number;
  /** Stops at the first failure. */
  readonly bail: boolean;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export async function runTests(
  files: readonly string[],
  { root, env, workers, msMax, bail }: RunSettings,
): Promise<TestRun> {
  const output = join(root, '.planted-report.json');
  rmSync(output, { force: true });
  const args = [
    ...['run', '--reporter=json', `--outputFile=${output}`],
    ...(bail ? ['--bail=1'] : []),
    ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
    ...files,
  ];
  const isInTime = await spawnVitest(args, root, env, msMax);
  if (!isInTime)
    return { kind: 'broken', reason: `did not end within ${Math.round(msMax / 1000)} s` };
  if (!existsSync(output)) return { kind: 'broken', reason: 'the tests could not be set up' };
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report;
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: relative(root, name),
      test: assertionResults.find(({ status }) => status === 'failed')?.fullName ?? '(set-up)',
    }));
  return failures.length === 0 ? { kind: 'passed' } : { kind: 'failed', failures };
}

/** False when it had to be ended: with everything it started, since a test may hang in a child. */
function spawnVitest(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  msMax: number,
): Promise<boolean> {
  const vitest = join(cwd, 'node_modules/vitest/vitest.mjs');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd,
      env,
      stdio: 'ignore',
      detached: true,
    });
    let isInTime = true;
    const endAll = () => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // All of them are gone.
      }
    };
    const late = setTimeout(() => {
      isInTime = false;
      endAll();
    }, msMax);
    // Before anything else: what it runs in is about to go.
    process.prependOnceListener('exit', endAll);
    child.once('exit', () => {
      process.off('exit', endAll);
      clearTimeout(late);
      endAll();
      resolve(isInTime);
    });
  });
}
