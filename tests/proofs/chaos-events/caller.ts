//! A caller: creates the same events through the API, and repeats each request until it succeeds.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '@holdfast/contract/events';
import { call, callWithRetry, dataOf, type Fields, isUnsettled } from '../../harness/api.ts';
import type { SeededRandom } from '../../harness/random.ts';
import type { Intent, Marketplace } from './intent.ts';
import type { Pace } from './pace.ts';

const RETRY_POLICY = { msMax: 30_000, pauseMs: () => 50, isTransient: isUnsettled };
const RESPONSE_TIMEOUT_MS = 10_000;
const PAUSE_MS_MAX = 300;

/** Creates users and credits them from time to time, until the writers are done. */
export async function runCaller(
  urls: readonly string[],
  name: string,
  random: SeededRandom,
  intent: Intent,
  pace: Pace,
): Promise<void> {
  const users: { id: string; marketplace: Marketplace }[] = [];
  const call = callerOf(urls, name, random, intent);
  for (let count = 1; !pace.isOver(); count += 1) {
    const user = users.at(-1);
    if (user === undefined || random.percent(40)) {
      const marketplace = random.oneOf(intent.marketplaces);
      const body = { externalUserId: `${name}-${count}` };
      const { id } = await call(marketplace, '/users', 'user.created', body);
      users.push({ id: String(id), marketplace });
    } else {
      const path = `/users/${user.id}/balance/credit`;
      await call(user.marketplace, path, 'balance.credited', { amount: '1.00' });
    }
    await sleep(random.below(PAUSE_MS_MAX));
  }
}

type CallApi = (
  marketplace: Marketplace,
  path: string,
  eventType: EventName,
  body: object,
) => Promise<Fields>;

/** Each request keeps its key; each attempt has its own request id. */
function callerOf(
  urls: readonly string[],
  line: string,
  random: SeededRandom,
  intent: Intent,
): CallApi {
  return async ({ id: marketplaceId, key: apiKey }, path, eventType, body) => {
    const correlationIds: string[] = [];
    const request = { path, body, key: randomUUID(), msMax: RESPONSE_TIMEOUT_MS };
    const response = await callWithRetry(path, RETRY_POLICY, () => {
      const requestId = randomUUID();
      correlationIds.push(requestId);
      return call({ api: random.oneOf(urls), apiKey }, { ...request, requestId });
    });
    const data = dataOf(path, response);
    intent.retries += correlationIds.length - 1;
    intent.events.push({ marketplaceId, eventType, correlationIds, line });
    return data;
  };
}
