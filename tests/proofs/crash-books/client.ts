//! A client that repeats an interrupted request under the same key until its outcome is known.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, call, isTransient } from '../../harness/api.ts';
import type { SeededRandom } from '../../harness/random.ts';
import { amountText, type BalanceOperation, type LogicalRequest } from './history.ts';

/** Shared by all clients of a round. */
export interface ClientGroup {
  /** URLs to try. A killed one stays until it is replaced, as in a client's configuration. */
  urls: string[];
  key: string;
  userIds: string[];
  random: SeededRandom;
  requests: LogicalRequest[];
  tries: number;
  /** Called with each definitive response, to measure how soon the service recovered. */
  onResponse?: (url: string, request: LogicalRequest) => void;
}

const PATIENCE_MS = 45_000;
const RESPONSE_TIMEOUT_MS = 10_000;
const PAUSE_MS_MAX = 20;

const balanceCalls: readonly BalanceOperation[] = [
  ...Array<BalanceOperation>(8).fill('credit'),
  ...Array<BalanceOperation>(5).fill('reserve'),
  ...Array<BalanceOperation>(4).fill('release'),
  ...Array<BalanceOperation>(3).fill('debit'),
];

/** Sends one request after the other until the round is over; finishes the last one. */
export async function runClient(group: ClientGroup, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const request: LogicalRequest = {
      logicalId: randomUUID(),
      idempotencyKey: randomUUID(),
      op: group.random.oneOf(balanceCalls),
      userId: group.random.oneOf(group.userIds),
      amountMinor: 1 + group.random.below(1000),
      correlationIds: [],
      outcome: 'unknown',
    };
    group.requests.push(request);
    await settle(group, request);
  }
}

async function settle(group: ClientGroup, request: LogicalRequest): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const url = group.random.oneOf(group.urls);
    const response = await tryOnce(group, url, request);
    if (response.status === undefined) {
      if (!response.isNeverSent) request.interruption ??= 'cut off';
    } else if (isDefinitive(response)) {
      request.response = response;
      request.outcome = response.status === 200 ? 'acknowledged' : 'refused';
      group.onResponse?.(url, request);
      return;
    } else if (response.status >= 500) {
      request.interruption ??= String(response.status);
    }
    await sleep(1 + group.random.below(PAUSE_MS_MAX));
  }
}

/** One attempt, with its own request id and the request's one key. */
export function tryOnce(
  group: ClientGroup,
  api: string,
  request: LogicalRequest,
): Promise<ApiResponse> {
  const requestId = randomUUID();
  request.correlationIds.push(requestId);
  group.tries += 1;
  const options = {
    path: `/users/${request.userId}/balance/${request.op}`,
    body: { amount: amountText(request.amountMinor) },
    key: request.idempotencyKey,
    msMax: RESPONSE_TIMEOUT_MS,
  };
  return call({ api, apiKey: group.key }, { ...options, requestId });
}

function isDefinitive(response: ApiResponse): boolean {
  const { status = 500 } = response;
  return status === 200 || (status >= 400 && status < 500 && !isTransient(response));
}
