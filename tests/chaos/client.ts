//! One client of a marketplace: asks either api, and writes down what it was told.
import * as api from '../harness/api.ts';
import type { Chance } from '../harness/chance.ts';
import { count, type Notebook, noteTime, noteTold } from './notebook.ts';

export interface Asked extends api.Asked {
  /** What it is called in the figures, such as `release`. */
  readonly deed: string;
}

export interface Client {
  /** Everything that it asked and was told, but for looks that showed nothing new. */
  readonly trace: readonly string[];
  ask(asked: Asked): Promise<api.Answer>;
  /** Until there is an answer that tells something: for what may be asked any number of times. */
  insist(asked: Asked): Promise<api.Answer>;
}

const PATIENCE_MS = 300_000;

export function openClient(
  urls: readonly string[],
  apiKey: string,
  chance: Chance,
  notebook: Notebook,
): Client {
  const trace: string[] = [];
  const ask = async (asked: Asked): Promise<api.Answer> => {
    const begunAt = performance.now();
    notebook.requests += 1;
    const answer = await api.ask({ api: chance.oneOf(urls), apiKey }, { method: 'POST', ...asked });
    const { status, data } = answer;
    if (status === undefined) notebook.lost += 1;
    else if (status < 300) {
      noteTime(notebook, asked.deed, performance.now() - begunAt);
      noteTold(notebook, asked.deed, data);
    } else count(notebook.refusals, api.answerText(answer));
    noteTrace(trace, asked, answer, performance.now() - begunAt);
    return answer;
  };
  const patience = { msMax: PATIENCE_MS, pauseMs: () => 100 + chance.below(400) };
  return { trace, ask, insist: (asked) => api.insist(asked.path, patience, () => ask(asked)) };
}

function noteTrace(trace: string[], { deed, key }: Asked, answer: api.Answer, ms: number): void {
  const { status } = (answer.data ?? {}) as { readonly status?: string };
  const what = [api.answerText(answer), status, answer.operationId, answer.reason]
    .filter((part) => part !== undefined)
    .join(', ');
  const asked = key === undefined ? deed : `${deed} under ${key.slice(0, 8)}`;
  const isNews = deed !== 'look' || !trace.at(-1)?.endsWith(`${asked}: ${what}`);
  if (isNews)
    trace.push(`${new Date().toISOString().slice(11, 23)} +${ms.toFixed(0)} ${asked}: ${what}`);
}

/** Something may have been done, or may still be. */
export function isInDoubt({ status }: api.Answer): boolean {
  return status === undefined || status === 504;
}
