//! Calls of the API as a marketplace makes them: once, or retried until there is a response.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from './exchange.ts';

/** The address of the API, and the key of the caller. */
export interface ApiTarget {
  readonly api: string;
  readonly apiKey: string;
}

export interface ApiRequest {
  readonly path: string;
  /** GET if there is no body. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: object | undefined;
  /** An Idempotency-Key, if the route honours one. */
  readonly key?: string | undefined;
  readonly requestId?: string;
  readonly headers?: Record<string, string>;
  readonly msMax?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface ApiResponse {
  /** Undefined if no response came: the outcome of the request is unknown. */
  readonly status: number | undefined;
  readonly isNeverSent: boolean;
  /** Why no response came. */
  readonly cause?: string | undefined;
  /** The error code of a refusal. */
  readonly code: string | undefined;
  readonly operationId: string | undefined;
  readonly reason: string | undefined;
  /** The content of the envelope; undefined in a refusal. */
  readonly data: unknown;
  /** The cursor of the next page; null after the last. */
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

export async function call({ api, apiKey }: ApiTarget, request: ApiRequest): Promise<ApiResponse> {
  return callAt(`${api}/api/v1${request.path}`, apiKey, request);
}

/** Calls any address, also of Surface B, whose envelope has one level less. */
export async function callAt(
  url: string,
  bearer: string,
  request: Omit<ApiRequest, 'path'>,
): Promise<ApiResponse> {
  const { body, method = body === undefined ? 'GET' : 'POST', requestId = randomUUID() } = request;
  const hasBody = method !== 'GET';
  const response = await exchange(url, {
    method,
    msMax: request.msMax,
    headers: {
      'x-request-id': requestId,
      ...request.headers,
      ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(request.key === undefined ? {} : { 'idempotency-key': request.key }),
    },
    body: hasBody ? JSON.stringify(body ?? {}) : undefined,
  });
  const isLost = response.status === undefined;
  const bytes = isLost ? Buffer.alloc(0) : response.bytes;
  const { data, error } = readBody(bytes);
  return {
    status: response.status,
    isNeverSent: isLost && response.isNeverSent,
    cause: isLost ? response.cause : undefined,
    code: error?.code,
    operationId: error?.details?.operationId ?? undefined,
    reason: error?.details?.reason,
    data: data !== null && typeof data === 'object' && 'data' in data ? data.data : data,
    next: data?.hasMore ? (data.nextCursor ?? null) : null,
    isReplay: !isLost && response.headers['idempotency-replay'] === 'true',
    bytes,
  };
}

/** A proxy in front of the service may return any body. */
function readBody(bytes: Buffer): Body {
  try {
    return JSON.parse(bytes.toString()) as Body;
  } catch {
    return {};
  }
}

export function isGood({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status !== undefined && status < 300;
}

/** The outcome is as unknown as before: the client checks, waits and retries. */
export function isTransient({ status, code }: Pick<ApiResponse, 'status' | 'code'>): boolean {
  return (
    status === undefined ||
    status === 503 ||
    status === 504 ||
    code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
  );
}

/** For callers that only need the effect and retry every fault of the process they called. */
export function isUnsettled({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status === undefined || status >= 500 || status === 409;
}

export function responseText({
  status,
  code,
  cause,
}: Pick<ApiResponse, 'status' | 'code' | 'cause'>): string {
  if (status !== undefined) return `${status} ${code ?? ''}`.trimEnd();
  return cause === undefined ? 'no response' : `no response (${cause})`;
}

export interface RetryPolicy {
  readonly msMax: number;
  /** The pause between two attempts. */
  readonly pauseMs: () => number;
  readonly isTransient?: (response: ApiResponse) => boolean;
}

/** Retries until the response is conclusive; only for calls that may be repeated. */
export async function callWithRetry(
  path: string,
  retryPolicy: RetryPolicy,
  call: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const giveUpAt = performance.now() + retryPolicy.msMax;
  for (;;) {
    const response = await call();
    if (!(retryPolicy.isTransient ?? isTransient)(response)) return response;
    if (performance.now() > giveUpAt)
      throw new Error(`${path} returned ${responseText(response)} for too long`);
    await sleep(retryPolicy.pauseMs());
  }
}

/** The data of a success; throws otherwise. */
export function dataOf<T = Fields>(path: string, response: ApiResponse): T {
  if (isGood(response)) return response.data as T;
  const excerpt = response.bytes.toString().slice(0, 300);
  throw new Error(`${path} returned ${responseText(response)}: ${excerpt}`);
}

export type Post = (path: string, body?: object, key?: string) => Promise<Fields>;

/** Calls once; throws unless it succeeds. */
export function poster(target: ApiTarget): Post {
  return async (path, body = {}, key) => dataOf(path, await call(target, { path, body, key }));
}

export interface LogEvent {
  readonly eventId: string;
  readonly occurredAt: string;
}

/** The whole log after a cursor, read page by page through the API. */
export async function pullLog(
  get: (path: string) => Promise<ApiResponse>,
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
