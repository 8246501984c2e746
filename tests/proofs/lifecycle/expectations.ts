//! What callers and probes get while something is lost, and when it is back.
import type { ApiResponse } from '../../harness/api.ts';
import { credit, isReady, isUnready, msUntil, type Run } from './environment.ts';

/** Adds to `wrong`; returns what was seen. */
export type Loss = (run: Run, wrong: string[]) => Promise<string>;

export const SEEN_MS_MAX = 10_000;
export const BACK_MS_MAX = 30_000;

export const textOf = ({ status, code, reason }: ApiResponse) =>
  [status ?? 'no response', code, reason && `(${reason})`].filter(Boolean).join(' ');

export async function expectUnready(run: Run, wrong: string[]): Promise<string> {
  const ms = await msUntil(SEEN_MS_MAX, () => isUnready(run));
  if (ms === undefined) wrong.push('a process was ready');
  if ((await run.probe('/live')).some((status) => status !== 200))
    wrong.push('a process was not alive');
  return `not ready after ${ms} ms`;
}

/** Ready, and a write is done. */
export async function expectBack(run: Run, wrong: string[]): Promise<string> {
  const isBack = async () => (await isReady(run)) && (await credit(run)).status === 200;
  const ms = await msUntil(BACK_MS_MAX, isBack);
  if (ms === undefined) wrong.push(`not back within ${BACK_MS_MAX / 1000} s`);
  return `back after ${ms} ms`;
}

export function expectStatus(response: ApiResponse, status: number, wrong: string[]): string {
  if (response.status !== status) wrong.push(`${textOf(response)} instead of ${status}`);
  return textOf(response);
}
