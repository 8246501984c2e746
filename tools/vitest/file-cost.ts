//! In every test file: how much processor time the worker spent on it, told with its result.
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number;
  }
}

// Files share their worker, one after the other: what it spends from here on is this file's.
const begun = process.cpuUsage();

// Vitest reads off the pattern what a hook wants: nothing.
// oxlint-disable no-empty-pattern
// biome-ignore lint/correctness/noEmptyPattern: see above
afterAll(({}, suite) => {
  const { user, system } = process.cpuUsage(begun);
  suite.file.meta.cpuMs = (user + system) / 1000;
});
