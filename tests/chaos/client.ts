//! One client of a marketplace: asks either api, and writes down what it was told.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../chaos-events/chance.ts';
import { count, type Notebook, noteTime, noteTold } from './notebook.ts';

export interface Asked {
  /** What it is called in the figures, such as `release`. */
  readonly deed: string;
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
  /** An Idempotency-Key, where the route honours one. */
  readonly key?: string;
}

export interface Answer {
  /** Undefined when none came: nobody knows what became of the request. */
  readonly status: number | undefined;
  /** Of a refusal. */
  readonly code: string | undefined;
  readonly operationId: string | undefined;
  readonly reason: string | undefined;
  readonly data: unknown;
}

export interface Client {
  /** Everything that it asked and was told, but for looks that showed nothing new. */
  readonly trace: readonly string[];
  ask(asked: Asked): Promise<Answer>;
  /** Until there is an answer that tells something: for what may be asked any number of times. */
  insist(asked: Asked): Promise<Answer>;
}

const NO_ANSWER: Answer = {
  status: undefined,
  code: undefined,
  operationId: undefined,
  reason: undefined,
  data: undefined,
};
/** Longer than a request may wait for its operation. */
const ANSWER_MS_MAX = 45_000;
const PATIENCE_MS = 300_000;

interface Body {
  readonly data?: { readonly data?: unknown };
  readonly error?: {
    readonly code?: string;
    readonly details?: { readonly operationId?: string | null; readonly reason?: string };
  };
}

export function openClient(
  urls: readonly string[],
  key: string,
  chance: Chance,
  notebook: Notebook,
): Client {
  const trace: string[] = [];
  const ask = async (asked: Asked): Promise<Answer> => {
    const begunAt = performance.now();
    notebook.requests += 1;
    const answer = await exchange(chance.oneOf(urls), key, asked).catch(() => NO_ANSWER);
    const { status, code, data } = answer;
    if (status === undefined) notebook.lost += 1;
    else if (status < 300) {
      noteTime(notebook, asked.deed, performance.now() - begunAt);
      noteTold(notebook, asked.deed, data);
    } else count(notebook.refusals, `${status} ${code}`);
    noteTrace(trace, asked, answer, performance.now() - begunAt);
    return answer;
  };
  return {
    trace,
    ask,
    insist: async (asked) => {
      const giveUpAt = performance.now() + PATIENCE_MS;
      for (;;) {
        const answer = await ask(asked);
        if (!isPassing(answer)) return answer;
        if (performance.now() > giveUpAt)
          throw new Error(`${asked.path} was answered ${answerText(answer)} for too long`);
        await sleep(100 + chance.below(400));
      }
    },
  };
}

async function exchange(url: string, key: string, asked: Asked): Promise<Answer> {
  const { path, method = 'POST', body = {}, key: idempotencyKey } = asked;
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    headers: {
      authorization: `Bearer ${key}`,
      'x-request-id': randomUUID(),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const { data, error } = (await answer.json()) as Body;
  return {
    status: answer.status,
    code: error?.code,
    operationId: error?.details?.operationId ?? undefined,
    reason: error?.details?.reason,
    data: data?.data,
  };
}

function noteTrace(trace: string[], { deed, key }: Asked, answer: Answer, ms: number): void {
  const { status } = (answer.data ?? {}) as { readonly status?: string };
  const what = [answerText(answer), status, answer.operationId, answer.reason]
    .filter((part) => part !== undefined)
    .join(', ');
  const asked = key === undefined ? deed : `${deed} under ${key.slice(0, 8)}`;
  const isNews = deed !== 'look' || !trace.at(-1)?.endsWith(`${asked}: ${what}`);
  if (isNews)
    trace.push(`${new Date().toISOString().slice(11, 23)} +${ms.toFixed(0)} ${asked}: ${what}`);
}

/** The client knows no more than before: it looks, waits and goes on. */
export function isPassing({ status, code }: Answer): boolean {
  return (
    status === undefined ||
    status === 503 ||
    status === 504 ||
    code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
  );
}

/** Something may have been done, or may still be. */
export function isInDoubt({ status }: Answer): boolean {
  return status === undefined || status === 504;
}

export function isGood({ status }: Answer): boolean {
  return status !== undefined && status < 300;
}

export function answerText({ status, code }: Answer): string {
  return status === undefined ? 'not at all' : `${status} ${code ?? ''}`.trimEnd();
}
