//! A client that never gives up: it repeats an interrupted request, same key, until it knows.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, isPassing } from '../harness/api.ts';
import type { Chance } from '../harness/chance.ts';
import { amountText, type BalanceOperation, type LogicalRequest } from './history.ts';

/** What all clients share in a round. */
export interface Crowd {
  /** Addresses to try. A killed one stays until it is replaced, as a client would have it. */
  urls: string[];
  key: string;
  userIds: string[];
  chance: Chance;
  requests: LogicalRequest[];
  tries: number;
  /** Called with each definitive answer, to time how soon service came back. */
  answered?: (url: string, request: LogicalRequest) => void;
}

const PATIENCE_MS = 45_000;
const ANSWER_MS_MAX = 10_000;
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
      op: crowd.chance.oneOf(wants),
      userId: crowd.chance.oneOf(crowd.userIds),
      amountMinor: 1 + crowd.chance.below(1000),
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
    const url = crowd.chance.oneOf(crowd.urls);
    const answer = await tryOnce(crowd, url, request);
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
    await sleep(1 + crowd.chance.below(PAUSE_MS_MAX));
  }
}

/** One try, under a request id of its own and the request's one key. */
export function tryOnce(crowd: Crowd, api: string, request: LogicalRequest): Promise<Answer> {
  const requestId = randomUUID();
  request.correlationIds.push(requestId);
  crowd.tries += 1;
  const asked = {
    path: `/users/${request.userId}/balance/${request.op}`,
    body: { amount: amountText(request.amountMinor) },
    key: request.idempotencyKey,
    msMax: ANSWER_MS_MAX,
  };
  return ask({ api, apiKey: crowd.key }, { ...asked, requestId });
}

function isDefinitive(answer: Answer): boolean {
  const { status = 500 } = answer;
  return status === 200 || (status >= 400 && status < 500 && !isPassing(answer));
}
