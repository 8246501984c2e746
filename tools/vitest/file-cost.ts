//! In every test file: reports the processor time of its worker and its children with its result.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number;
    /** Of processes that it started and that have ended. */
    childrenMs?: number;
  }
}

const STAT = '/proc/self/stat';
const MS_PER_TICK = 10;

/** User and system time of finished children; zero where the system does not report it. */
function childrenMs(): number {
  if (!existsSync(STAT)) return 0;
  // The second field is a name in brackets, which may hold anything.
  const [, rest = ''] = readFileSync(STAT, 'utf8').split(/\) (?!.*\) )/s);
  const fields = rest.split(' ').map(Number);
  return ((fields[13] ?? 0) + (fields[14] ?? 0)) * MS_PER_TICK;
}

// Files share their worker, one after the other: what it spends from here on is this file's.
const start = { own: process.cpuUsage(), children: childrenMs() };

// Vitest reads off the pattern which fixtures a hook uses: none.
// oxlint-disable no-empty-pattern
// biome-ignore lint/correctness/noEmptyPattern: see above
afterAll(({}, suite) => {
  const { user, system } = process.cpuUsage(start.own);
  suite.file.meta.cpuMs = (user + system) / 1000;
  suite.file.meta.childrenMs = childrenMs() - start.children;
});
