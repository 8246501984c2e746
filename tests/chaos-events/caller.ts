//! A caller: the same events by way of the service, by requests that are repeated until answered.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '@holdfast/contract/events';
import { type Answer, exchange } from '../crash/http.ts';
import type { Chance } from './chance.ts';
import type { Intent, Marketplace } from './intent.ts';
import type { Pace } from './pace.ts';

const PATIENCE_MS = 30_000;
const PAUSE_MS_MAX = 300;
const RETRY_MS = 50;

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
      const answer = await call(marketplace, '/users', 'user.created', body);
      users.push({ id: idIn(answer), marketplace });
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
  body: unknown,
) => Promise<Answer>;

function callerOf(urls: readonly string[], line: string, chance: Chance, intent: Intent): MakeCall {
  return async (marketplace, path, eventType, body) => {
    const correlationIds: string[] = [];
    const headers = {
      authorization: `Bearer ${marketplace.key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAt) {
      const id = randomUUID();
      correlationIds.push(id);
      const answer = await exchange(
        `${chance.oneOf(urls)}/api/v1${path}`,
        'POST',
        { ...headers, 'x-request-id': id },
        JSON.stringify(body),
      );
      if (answer.status === 200 || answer.status === 201) {
        intent.events.push({ marketplaceId: marketplace.id, eventType, correlationIds, line });
        return answer;
      }
      if (answer.status !== undefined && answer.status < 500 && answer.status !== 409) {
        throw new Error(`POST ${path} answered ${answer.status}: ${answer.body.toString()}`);
      }
      intent.retries += 1;
      await sleep(RETRY_MS);
    }
    throw new Error(`POST ${path} had no answer for ${PATIENCE_MS / 1000} s`);
  };
}

function idIn(answer: Answer): string {
  const { data } = JSON.parse(answer.body.toString()) as { data: { data: { id: string } } };
  return data.data.id;
}
