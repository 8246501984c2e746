//! Tests when a process that stops is out of time: a bug or no drain leaves none for clients.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const shutdown = fileURLToPath(new URL('shutdown.ts', import.meta.url));

/** The lines of a process that ends as `end` says, and its exit code. */
function runProcess(drainMs: number, end: string): { lines: string[]; code: number | null } {
  const program = `
    import { stopOnSignal } from '${shutdown}';
    const log = { info() {}, error(_, text) { console.log(text); } };
    const times = { HOLDFAST_DRAIN_MS: ${drainMs}, HOLDFAST_SHUTDOWN_MS: 60_000 };
    setInterval(() => {}, 1000);
    stopOnSignal(log, times, {
      drain: () => console.log('drains'),
      stop: async (outOfTime) => {
        console.log(outOfTime.aborted ? 'out of time' : 'has time');
        if (outOfTime.aborted) return;
        await new Promise((resolve) => {
          outOfTime.addEventListener('abort', resolve);
          setTimeout(resolve, ${drainMs});
        });
        console.log(outOfTime.aborted ? 'out of time' : 'had time');
      },
    });
    ${end}
  `;
  const args = ['--conditions=@holdfast/source', '--input-type=module', '--eval', program];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { lines: stdout.trim().split('\n'), code: status };
}

const SIGTERM = "process.kill(process.pid, 'SIGTERM');";
const bugAfter = (ms: number) => `setTimeout(() => { throw new Error('a bug'); }, ${ms});`;

it('gives clients time after a drain', () => {
  expect(runProcess(100, SIGTERM)).toEqual({ lines: ['drains', 'has time', 'had time'], code: 0 });
});

it('gives no time to a process that does not drain', () => {
  expect(runProcess(0, SIGTERM)).toEqual({ lines: ['drains', 'out of time'], code: 0 });
});

it('ends a drain when it meets a bug', () => {
  const { lines, code } = runProcess(60_000, SIGTERM + bugAfter(100));
  expect(lines).toEqual(['drains', 'unhandled error', 'out of time']);
  expect(code).toBe(0);
});

it('waits for no client once a process that stops meets a bug', () => {
  const { lines } = runProcess(1000, SIGTERM + bugAfter(1400));
  expect(lines).toEqual(['drains', 'has time', 'unhandled error', 'out of time']);
});
