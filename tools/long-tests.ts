//! Tests that start whole sets of processes for half a minute or more. A check plays one half of
//! them, chosen by the commit, so that it ends in time on a slow machine; `npm run test` plays all.
import { execFileSync } from 'node:child_process';

const HALVES: readonly [readonly string[], readonly string[]] = [
  [
    'tests/example/example.test.ts',
    'tests/docs/live.test.ts',
    'tests/provider-matrix/provider-matrix.test.ts',
    'tests/cli/stories.test.ts',
    'apps/cli/src/dev.test.ts',
  ],
  [
    'tests/workers/upgrade.test.ts',
    'tests/nginx/nginx.test.ts',
    'tests/doctor/doctor.test.ts',
    'tests/workers/frozen-worker.test.ts',
    'tests/sdk-package/scenario.test.ts',
  ],
];

/** What whoever starts a run sets to have one half rest. */
export const HALF = { LONG_TESTS: 'half' };

/** None, unless the run is one of a check. */
export function restingTests(env: NodeJS.ProcessEnv): readonly string[] {
  if (env['LONG_TESTS'] !== HALF.LONG_TESTS) return [];
  const commit = findCommit();
  if (commit === undefined) return [];
  return HALVES[Number.parseInt(commit.slice(-1), 16) % 2 === 0 ? 0 : 1];
}

/** Undefined in a tree that is no repository: there all are played. */
function findCommit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}
