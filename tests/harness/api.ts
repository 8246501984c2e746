//! Calls of the API, as a marketplace makes them: asked once, or until there is an answer.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from './exchange.ts';

/** Where the API is, and who asks. */
export interface Door {
  readonly api: string;
  readonly apiKey: string;
}

export interface Asked {
  readonly path: string;
  /** GET where there is no body. */
  readonly method?: 'GET' | 'POST';
  readonly body?: object | undefined;
  /** An Idempotency-Key, where the route honours one. */
  readonly key?: string | undefined;
  readonly requestId?: string;
  readonly headers?: Record<string, string>;
  readonly msMax?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  /** Undefined when none came: nobody knows what became of the request. */
  readonly status: number | undefined;
  readonly isNeverSent: boolean;
  /** Of a refusal. */
  readonly code: string | undefined;
  readonly operationId: string | undefined;
  readonly reason: string | undefined;
  /** What the envelope holds; undefined in a refusal. */
  readonly data: unknown;
  /** Where the next page begins; null behind the last. */
  readonly next: string | null;
  readonly isReplay: boolean;
  readonly bytes: Buffer;
}

interface Body {
  readonly data?: {
    readonly data?: unknown;
    readonly hasMore?: boolean;
    readonly nextCursor?: string | null;
  };
  readonly error?: {
    readonly code?: string;
    readonly details?: { readonly operationId?: string | null; readonly reason?: string };
  };
}

export async function ask({ api, apiKey }: Door, asked: Asked): Promise<Answer> {
  return askAt(`${api}/api/v1${asked.path}`, apiKey, asked);
}

/** At any address, also of Surface B, whose data stands an envelope less deep. */
export async function askAt(
  url: string,
  bearer: string,
  asked: Omit<Asked, 'path'>,
): Promise<Answer> {
  const { body, method = body === undefined ? 'GET' : 'POST', requestId = randomUUID() } = asked;
  const isPost = method === 'POST';
  const answer = await exchange(url, {
    method,
    msMax: asked.msMax,
    headers: {
      'x-request-id': requestId,
      ...asked.headers,
      ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      ...(isPost ? { 'content-type': 'application/json' } : {}),
      ...(asked.key === undefined ? {} : { 'idempotency-key': asked.key }),
    },
    body: isPost ? JSON.stringify(body ?? {}) : undefined,
  });
  const isLost = answer.status === undefined;
  const bytes = isLost ? Buffer.alloc(0) : answer.bytes;
  const { data, error } = readBody(bytes);
  return {
    status: answer.status,
    isNeverSent: isLost && answer.isNeverSent,
    code: error?.code,
    operationId: error?.details?.operationId ?? undefined,
    reason: error?.details?.reason,
    data: data !== null && typeof data === 'object' && 'data' in data ? data.data : data,
    next: data?.hasMore ? (data.nextCursor ?? null) : null,
    isReplay: !isLost && answer.headers['idempotency-replay'] === 'true',
    bytes,
  };
}

/** What stands before the service answers as it likes. */
function readBody(bytes: Buffer): Body {
  try {
    return JSON.parse(bytes.toString()) as Body;
  } catch {
    return {};
  }
}

export function isGood({ status }: Pick<Answer, 'status'>): boolean {
  return status !== undefined && status < 300;
}

/** The client knows no more than before: it looks, waits and goes on. */
export function isPassing({ status, code }: Pick<Answer, 'status' | 'code'>): boolean {
  return (
    status === undefined ||
    status === 503 ||
    status === 504 ||
    code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
  );
}

/** For whoever only wants it done, whatever has struck the process that was asked. */
export function isUnsettled({ status }: Pick<Answer, 'status'>): boolean {
  return status === undefined || status >= 500 || status === 409;
}

export function answerText({ status, code }: Pick<Answer, 'status' | 'code'>): string {
  return status === undefined ? 'not at all' : `${status} ${code ?? ''}`.trimEnd();
}

export interface Patience {
  readonly msMax: number;
  /** Between two tries. */
  readonly pauseMs: () => number;
  readonly isPassing?: (answer: Answer) => boolean;
}

/** Until there is an answer that tells something: for what may be asked any number of times. */
export async function insist(
  path: string,
  patience: Patience,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const giveUpAt = performance.now() + patience.msMax;
  for (;;) {
    const answer = await ask();
    if (!(patience.isPassing ?? isPassing)(answer)) return answer;
    if (performance.now() > giveUpAt)
      throw new Error(`${path} was answered ${answerText(answer)} for too long`);
    await sleep(patience.pauseMs());
  }
}

/** What a success holds; anything else is thrown. */
export function dataOf<T = Fields>(path: string, answer: Answer): T {
  if (isGood(answer)) return answer.data as T;
  const told = answer.bytes.toString().slice(0, 300);
  throw new Error(`${path} was answered ${answerText(answer)}: ${told}`);
}

export type Post = (path: string, body?: object, key?: string) => Promise<Fields>;

/** Asks once; whatever is not a success is thrown. */
export function poster(door: Door): Post {
  return async (path, body = {}, key) => dataOf(path, await ask(door, { path, body, key }));
}

export interface LogEvent {
  readonly eventId: string;
  readonly occurredAt: string;
}

/** The whole log behind a cursor, page by page, as anybody can pull it. */
export async function pullLog(
  get: (path: string) => Promise<Answer>,
  after: string | null = null,
  limit: () => number = () => 100,
): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for (let cursor = after; ; ) {
    const from = cursor === null ? '' : `&after=${cursor}`;
    const page = await get(`/events/log?limit=${limit()}${from}`);
    events.push(...dataOf<LogEvent[]>('/events/log', page));
    if (page.next === null) return events;
    cursor = page.next;
  }
}
