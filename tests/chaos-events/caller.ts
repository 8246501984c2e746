//! A caller: the same events by way of the service, by requests that are repeated until answered.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '@holdfast/contract/events';
import { ask, dataOf, type Fields, insist, isUnsettled } from '../harness/api.ts';
import type { Chance } from '../harness/chance.ts';
import type { Intent, Marketplace } from './intent.ts';
import type { Pace } from './pace.ts';

const PATIENCE = { msMax: 30_000, pauseMs: () => 50, isPassing: isUnsettled };
const ANSWER_MS_MAX = 10_000;
const PAUSE_MS_MAX = 300;

/** Creates users and credits them, now and then, until the writers are done. */
export async function runCaller(
  urls: readonly string[],
  name: string,
  chance: Chance,
  intent: Intent,
  pace: Pace,
): Promise<void> {
  const users: { id: string; marketplace: Marketplace }[] = [];
  const call = callerOf(urls, name, chance, intent);
  for (let turn = 1; !pace.isOver(); turn += 1) {
    const user = users.at(-1);
    if (user === undefined || chance.percent(40)) {
      const marketplace = chance.oneOf(intent.marketplaces);
      const body = { externalUserId: `${name}-${turn}` };
      const { id } = await call(marketplace, '/users', 'user.created', body);
      users.push({ id: String(id), marketplace });
    } else {
      const path = `/users/${user.id}/balance/credit`;
      await call(user.marketplace, path, 'balance.credited', { amount: '1.00' });
    }
    await sleep(chance.below(PAUSE_MS_MAX));
  }
}

type MakeCall = (
  marketplace: Marketplace,
  path: string,
  eventType: EventName,
  body: object,
) => Promise<Fields>;

/** One request by its key, and a name for each try. */
function callerOf(urls: readonly string[], line: string, chance: Chance, intent: Intent): MakeCall {
  return async ({ id: marketplaceId, key: apiKey }, path, eventType, body) => {
    const correlationIds: string[] = [];
    const asked = { path, body, key: randomUUID(), msMax: ANSWER_MS_MAX };
    const answer = await insist(path, PATIENCE, () => {
      const requestId = randomUUID();
      correlationIds.push(requestId);
      return ask({ api: chance.oneOf(urls), apiKey }, { ...asked, requestId });
    });
    const data = dataOf(path, answer);
    intent.retries += correlationIds.length - 1;
    intent.events.push({ marketplaceId, eventType, correlationIds, line });
    return data;
  };
}
