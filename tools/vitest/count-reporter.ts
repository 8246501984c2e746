//! Ends every test run with "N passed, N failed": load errors count as failures.
import process from 'node:process';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let [passed, failed, skipped] = [0, unhandled.length, 0];
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
    }
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    process.on('exit', () => process.stdout.write(`\n${passed} passed, ${failed} failed${tail}\n`));
  }
}
