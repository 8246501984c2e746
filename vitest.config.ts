//! How tests run: real services, one database per file, at most two whole sets at once.
import { defineConfig } from 'vitest/config';

const source = '@holdfast/source';
const FROM_SOURCE = { conditions: [source, 'node'], externalConditions: [source, 'node'] };
const LEFT_OUT = ['**/node_modules/**', '**/dist/**', 'tools/fixtures/**'];
/** These start whole sets of processes. */
const WHOLE = ['tests/**/*.test.ts', 'tools/**/*.test.ts', 'apps/cli/src/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions: [source] },
  ssr: { resolve: FROM_SOURCE },
  // What runs before all tests; without this it would need built packages.
  environments: { __vitest__: { resolve: FROM_SOURCE } },
  test: {
    exclude: [...LEFT_OUT],
    globalSetup: ['apps/server/src/testing/database/template.ts'],
    execArgv: ['--conditions', source],
    // Every file has its own database; the code that it tests keeps nothing between files.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'whole', include: [...WHOLE], maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...LEFT_OUT, ...WHOLE],
          // They wait for disks and timers half of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    // They only end what hangs. What must be quick says so in its own test; a machine that has
    // little time for us is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['tools/vitest/file-cost.ts'],
    reporters: [
      'default',
      './tools/vitest/count-reporter.ts',
      ...(process.env['TEST_COSTS'] === 'on' ? ['./tools/vitest/cost-reporter.ts'] : []),
    ],
  },
});
