//! Calls of the API, as a marketplace makes them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

/** Where the API is, and who asks. */
export type Caller = Pick<Stage, 'api' | 'apiKey'>;

export interface Asked {
  readonly path: string;
  readonly body?: object;
  readonly method?: 'GET' | 'POST';
  readonly requestId?: string;
  readonly key?: string;
}

export interface Answer {
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | undefined;
  readonly operationId: string | undefined;
  readonly data: Fields;
  readonly isReplay: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

export async function ask({ api, apiKey }: Caller, asked: Asked): Promise<Answer> {
  const { path, body, method = 'POST', requestId = randomUUID(), key } = asked;
  const answer = await fetch(`${api}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-request-id': requestId,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  });
  const json = (await answer.json()) as {
    data?: { data?: Fields };
    error?: { code?: string; details?: { operationId?: string } };
  };
  return {
    status: answer.status,
    code: json.error?.code,
    operationId: json.error?.details?.operationId,
    data: json.data?.data ?? {},
    isReplay: answer.headers.get('idempotency-replay') === 'true',
  };
}

const TRIES_MAX = 120;
const TRY_AGAIN_MS = 250;

/** Until it is done: whoever prepares a cell may meet the death of another. */
export async function insist(stage: Caller, asked: Asked): Promise<Fields> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(stage, asked);
    const { status, code, operationId } = answer;
    if (status < 300) return answer.data;
    if (status === 504 && operationId !== undefined) return untilDone(stage, operationId);
    if (status !== 503 || tries === TRIES_MAX)
      throw new Error(`${asked.path} answered ${status} ${code}`);
    await sleep(TRY_AGAIN_MS);
  }
}

async function untilDone(stage: Caller, operationId: string): Promise<Fields> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const operation = await look(stage, `/operations/${operationId}`);
    if (operation['status'] === 'DONE') return operation;
    if (operation['status'] === 'REFUSED') break;
    await sleep(TRY_AGAIN_MS);
  }
  throw new Error(`${operationId} was not done`);
}

export async function look(stage: Caller, path: string): Promise<Fields> {
  return insist(stage, { path, method: 'GET' });
}
