//! One client of a marketplace: calls either api process, and records the responses.
import * as api from '../../harness/api.ts';
import type { SeededRandom } from '../../harness/random.ts';
import { count, type Notebook, recordReported, recordTime } from './notebook.ts';

export interface ActionRequest extends api.ApiRequest {
  /** Its name in the figures, such as `release`. */
  readonly action: string;
}

export interface Client {
  /** All requests and responses, except for reads that showed nothing new. */
  readonly trace: readonly string[];
  call(request: ActionRequest): Promise<api.ApiResponse>;
  /** Repeats the request until the response is definitive: for requests that are safe to repeat. */
  callWithRetry(request: ActionRequest): Promise<api.ApiResponse>;
}

const PATIENCE_MS = 300_000;

export function openClient(
  urls: readonly string[],
  apiKey: string,
  random: SeededRandom,
  notebook: Notebook,
): Client {
  const trace: string[] = [];
  const call = async (request: ActionRequest): Promise<api.ApiResponse> => {
    const startedAt = performance.now();
    notebook.requests += 1;
    const response = await api.call(
      { api: random.oneOf(urls), apiKey },
      { method: 'POST', ...request },
    );
    const { status, data } = response;
    if (status === undefined) notebook.lost += 1;
    else if (status < 300) {
      recordTime(notebook, request.action, performance.now() - startedAt);
      recordReported(notebook, request.action, data);
    } else count(notebook.refusals, api.responseText(response));
    recordTrace(trace, request, response, performance.now() - startedAt);
    return response;
  };
  const retryPolicy = { msMax: PATIENCE_MS, pauseMs: () => 100 + random.below(400) };
  return {
    trace,
    call,
    callWithRetry: (request) => api.callWithRetry(request.path, retryPolicy, () => call(request)),
  };
}

/** Repeats each request until there is a response: only for requests that are safe to repeat. */
export function posterOf(client: Client): api.Post {
  return async (path, body = {}, key) => {
    const action = path.replaceAll(/\/[a-z]+_\w+/g, '');
    return api.dataOf(path, await client.callWithRetry({ action, path, body, key }));
  };
}

function recordTrace(
  trace: string[],
  { action, key }: ActionRequest,
  response: api.ApiResponse,
  ms: number,
): void {
  const { status } = (response.data ?? {}) as { readonly status?: string };
  const what = [api.responseText(response), status, response.operationId, response.reason]
    .filter((part) => part !== undefined)
    .join(', ');
  const request = key === undefined ? action : `${action} under ${key.slice(0, 8)}`;
  const isNews = action !== 'poll' || !trace.at(-1)?.endsWith(`${request}: ${what}`);
  if (isNews)
    trace.push(`${new Date().toISOString().slice(11, 23)} +${ms.toFixed(0)} ${request}: ${what}`);
}

/** The request may have been executed, or may still be. */
export function isInDoubt({ status }: api.ApiResponse): boolean {
  return status === undefined || status === 504;
}
