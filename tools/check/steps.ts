//! The steps of the check, and which of them run beside each other.
import type { Step } from './run-step.ts';

const npm = (script: string, ...args: string[]) => [
  ...['npm', 'run', '-s', script],
  ...(args.length === 0 ? [] : ['--', ...args]),
];

/** Tests wait for timers and responses much of their time: the other steps use it. */
const TESTS: readonly Step[] = [
  { name: 'tests', command: npm('test'), isCounted: true, isQuick: true },
];

const BESIDE_TESTS: readonly Step[] = [
  { name: 'types', command: npm('types'), isQuick: true },
  { name: 'lint', command: npm('lint'), isQuick: true },
  { name: 'imports', command: npm('imports'), isQuick: true },
  { name: 'unused', command: npm('unused'), isQuick: true },
  { name: 'deploy', command: npm('test:deploy') },
  { name: 'conformance', command: npm('conformance'), isCounted: true },
  { name: 'quickstart', command: npm('test:quickstart', '--quick') },
  { name: 'console', command: npm('test:console', '--quick'), isCounted: true },
  { name: 'crash', command: npm('crash:books', '--rounds', '2', '--seconds', '3') },
  { name: 'crash-matrix', command: npm('test:crash-matrix', '--cells', '10') },
  { name: 'chaos', command: npm('chaos:events', '--quick') },
  { name: 'chaos:orders', command: npm('chaos', '--quick') },
  { name: 'webhooks', command: npm('test:webhooks', '--quick') },
  { name: 'attacks', command: npm('test:attacks', '--quick') },
  { name: 'stops', command: npm('test:stops', '--quick') },
  { name: 'restore', command: npm('drill:restore', '--quick') },
  { name: 'lifecycle', command: npm('test:lifecycle', '--quick') },
  { name: 'upgrade', command: npm('test:upgrade', '--quick') },
  { name: 'alerts', command: npm('test:alerts', '--quick') },
  { name: 'smoke', command: npm('smoke', '--quick'), isCounted: true },
];

/** Measures: nothing else may run, and the disk must be waited for as it is in production. */
const ALONE: readonly Step[] = [
  { name: 'bench', command: npm('bench:books', '--quick'), needsDisk: true },
];

/** Stages one after the other; in a stage, lanes beside each other; in a lane, step by step. */
export const STAGES: readonly (readonly (readonly Step[])[])[] = [[TESTS, BESIDE_TESTS], [ALONE]];

export const STEPS: readonly Step[] = STAGES.flat(2);
