//! How tests run: real services, one database per file, at most two files at once.
import { defineConfig } from 'vitest/config';

const source = '@holdfast/source';

export default defineConfig({
  resolve: { conditions: [source] },
  ssr: { resolve: { conditions: [source, 'node'], externalConditions: [source, 'node'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'tools/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', 'tools/fixtures/**'],
    globalSetup: ['apps/server/src/testing/template.ts'],
    execArgv: ['--conditions', source],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './tools/count-reporter.ts'],
  },
});
