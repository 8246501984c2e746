//! Calls at a steady rate while the API servers are restarted one after another: none may fail.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, call } from '../../harness/api.ts';
import { print, quantile } from '../../harness/report.ts';
import { isReady, msUntil, type Run } from './environment.ts';

export interface RestartOptions {
  readonly rounds: number;
  readonly rate: number;
}

const READY_MS_MAX = 60_000;
const ERRORS_SHOWN = 20;

export async function restartOneByOne(run: Run, options: RestartOptions): Promise<string[]> {
  const load = startLoad(run, options.rate);
  const wrong: string[] = [];
  for (let round = 0; round < options.rounds; round += 1)
    for (const instance of [...run.apis, run.worker]) {
      await sleep(500);
      load.restarted();
      await instance.restart('SIGTERM');
      if ((await msUntil(READY_MS_MAX, () => isReady(run))) === undefined)
        wrong.push('a restarted process was not ready within a minute');
    }
  await sleep(500);
  const { calls, failed, times, seconds } = await load.stop();
  const perSecond = Math.round(calls / seconds);
  const cut = cutConnections(run);
  print(
    `rolling restart  ${options.rounds * 3} restarts, ${calls} calls (${perSecond}/s), ` +
      `${failed.length} failed, ${cut.length} cut connections, p99 ${Math.round(quantile(times, 0.99))} ms, ` +
      `max ${Math.round(Math.max(...times))} ms`,
  );
  if (failed.length + cut.length > 0)
    print([...failed, ...cut, ...run.nginx.errors()].slice(0, ERRORS_SHOWN).join('\n'));
  if (failed.length > 0) wrong.push(`${failed.length} calls failed`);
  if (cut.length > 0) wrong.push(`${cut.length} connections with a call were cut`);
  if (perSecond < options.rate * 0.8) wrong.push(`only ${perSecond} calls a second were sent`);
  return wrong;
}

/**
 * From the log of nginx. It sends the call elsewhere, unless it is a write without a key, so most
 * of them are no failed calls, but each could have been one.
 */
function cutConnections(run: Run): string[] {
  return run.nginx.errors().filter((line) => /reset by peer|prematurely closed/.test(line));
}

interface Load {
  /** A failure says how long ago this was. */
  restarted(): void;
  stop(): Promise<{ calls: number; failed: string[]; times: number[]; seconds: number }>;
}

/** Reads, and writes with and without an Idempotency-Key: nginx may repeat only some of them. */
function startLoad(run: Run, rate: number): Load {
  const balance = `/users/${run.userId}/balance`;
  const body = { amount: '0.01' };
  const kinds = [
    () => call(run.balanced, { path: balance }),
    () => call(run.balanced, { path: `${balance}/credit`, body }),
    () => call(run.balanced, { path: `${balance}/credit`, body, key: randomUUID() }),
  ];
  const failed: string[] = [];
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  let [calls, restartedAt] = [0, startedAt];
  const send = async (kind: () => Promise<ApiResponse>, name: string) => {
    const sentAt = performance.now();
    const { status, code } = await kind();
    times.push(performance.now() - sentAt);
    if (status !== 200) {
      const ms = Math.round(performance.now() - restartedAt);
      failed.push(`${name}: ${status ?? 'no response'} ${code ?? ''}, ${ms} ms after a SIGTERM`);
    }
  };
  const names = ['GET', 'POST without a key', 'POST with a key'];
  const timer = setInterval(() => {
    // As many as are due by now: a late timer lowers no rate.
    const due = ((performance.now() - startedAt) / 1000) * rate;
    for (; calls < due; calls += 1) {
      const at = calls % kinds.length;
      const sent = send(kinds[at] as () => Promise<ApiResponse>, names[at] as string);
      open.add(sent);
      void sent.finally(() => open.delete(sent));
    }
  }, 5);
  return {
    restarted: () => {
      restartedAt = performance.now();
    },
    stop: async () => {
      clearInterval(timer);
      const seconds = (performance.now() - startedAt) / 1000;
      await Promise.all(open);
      return { calls, failed, times, seconds };
    },
  };
}
