//! Prints the slowest test files, and the processor time of their worker and its children.
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

interface FileCost {
  readonly file: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly childrenMs: number;
  readonly tests: number;
}

const FILES_SHOWN = 30;

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map(costOf).sort((one, other) => other.wallMs - one.wallMs);
    const rows = costs.slice(0, FILES_SHOWN).map(rowOf);
    const sums = sumOf(costs);
    process.stdout.write(
      `\nThe ${rows.length} dearest of ${costs.length} test files (seconds)\n` +
        `   wall    cpu  children  tests  file\n${rows.join('\n')}\n${rowOf(sums)}\n`,
    );
  }
}

function costOf(module: TestModule): FileCost {
  const { collectDuration, setupDuration, environmentSetupDuration, duration } =
    module.diagnostic();
  return {
    file: module.relativeModuleId,
    wallMs: environmentSetupDuration + setupDuration + collectDuration + duration,
    cpuMs: module.meta().cpuMs ?? 0,
    childrenMs: module.meta().childrenMs ?? 0,
    tests: [...module.children.allTests()].length,
  };
}

function sumOf(costs: readonly FileCost[]): FileCost {
  const sum = (part: Exclude<keyof FileCost, 'file'>) =>
    costs.reduce((total, cost) => total + cost[part], 0);
  const file = 'all of them, added up over the workers';
  return {
    file,
    wallMs: sum('wallMs'),
    cpuMs: sum('cpuMs'),
    childrenMs: sum('childrenMs'),
    tests: sum('tests'),
  };
}

function rowOf({ file, wallMs, cpuMs, childrenMs, tests }: FileCost): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const cells = [
    seconds(wallMs).padStart(7),
    seconds(cpuMs).padStart(7),
    seconds(childrenMs).padStart(10),
    String(tests).padStart(7),
  ];
  return `${cells.join('')}  ${file}`;
}
