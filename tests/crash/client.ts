//! A client that never gives up: it repeats an interrupted request, same key, until it knows.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { amountText, type BalanceOperation, type LogicalRequest } from './history.ts';
import { type Answer, exchange, type NoAnswer } from './http.ts';

/** What all clients share in a round. */
export interface Crowd {
  /** Addresses to try. A killed one stays until it is replaced, as a client would have it. */
  urls: string[];
  key: string;
  userIds: string[];
  pick: Picker;
  requests: LogicalRequest[];
  tries: number;
  /** Called with each definitive answer, to time how soon service came back. */
  answered?: (url: string, request: LogicalRequest) => void;
}

/** A whole number from 0 up to, not including, the bound. */
export type Picker = (bound: number) => number;

const PATIENCE_MS = 45_000;
const PAUSE_MS_MAX = 20;

const wants: readonly BalanceOperation[] = [
  ...Array<BalanceOperation>(8).fill('credit'),
  ...Array<BalanceOperation>(5).fill('reserve'),
  ...Array<BalanceOperation>(4).fill('release'),
  ...Array<BalanceOperation>(3).fill('debit'),
];

/** Asks one thing after the other until told to stop; ends what it began. */
export async function runClient(crowd: Crowd, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const request: LogicalRequest = {
      logicalId: randomUUID(),
      idempotencyKey: randomUUID(),
      op: wants[crowd.pick(wants.length)] ?? 'credit',
      userId: crowd.userIds[crowd.pick(crowd.userIds.length)] ?? '',
      amountMinor: 1 + crowd.pick(1000),
      correlationIds: [],
      outcome: 'unknown',
    };
    crowd.requests.push(request);
    await settle(crowd, request);
  }
}

async function settle(crowd: Crowd, request: LogicalRequest): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const url = crowd.urls[crowd.pick(crowd.urls.length)] ?? '';
    const answer = await ask(crowd, url, request);
    if (answer.status === undefined) {
      if (!answer.isNeverSent) request.interruption ??= 'cut off';
    } else if (isDefinitive(answer)) {
      request.answer = answer;
      request.outcome = answer.status === 200 ? 'acknowledged' : 'refused';
      crowd.answered?.(url, request);
      return;
    } else if (answer.status >= 500) {
      request.interruption ??= String(answer.status);
    }
    await sleep(1 + crowd.pick(PAUSE_MS_MAX));
  }
}

/** One try, under a request id of its own and the request's one key. */
export function ask(
  crowd: Crowd,
  url: string,
  request: LogicalRequest,
): Promise<Answer | NoAnswer> {
  const correlationId = randomUUID();
  request.correlationIds.push(correlationId);
  crowd.tries += 1;
  return exchange(
    `${url}/api/v1/users/${request.userId}/balance/${request.op}`,
    'POST',
    {
      authorization: `Bearer ${crowd.key}`,
      'content-type': 'application/json',
      'idempotency-key': request.idempotencyKey,
      'x-request-id': correlationId,
    },
    JSON.stringify({ amount: amountText(request.amountMinor) }),
  );
}

function isDefinitive(answer: Answer): boolean {
  if (answer.status === 200) return true;
  if (answer.status < 400 || answer.status >= 500) return false;
  return !answer.body.includes('IDEMPOTENCY_KEY_IN_PROGRESS');
}
