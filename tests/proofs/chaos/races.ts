//! Races on funded orders: release, refund, dispute and two forged webhooks at once.
import { randomBytes, randomUUID } from 'node:crypto';
import { type ApiResponse, callAt, responseText } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { randomOf } from '../../harness/random.ts';
import { completeThen, road } from './actions.ts';
import { openClient } from './client.ts';
import { type Contender, contest, winnerOf } from './contest.ts';
import type { Environment } from './environment.ts';
import { complain, create, type Life, newLife, walk } from './life.ts';
import type { Notebook } from './notebook.ts';
import { type ChaosOptions, sizeOf } from './options.ts';
import type { SeenOrder } from './order.ts';
import { planLives } from './plan.ts';

type Caller = Contender | 'unsigned webhook' | 'forged webhook';

export interface Races {
  /** The final status of each order. */
  readonly endings: string[];
  readonly responses: { readonly caller: Caller; readonly response: string }[];
}

const RANDOM_STREAM = 900_000;

export async function runRaces(
  environment: Environment,
  options: ChaosOptions,
  notebook: Notebook,
): Promise<Races> {
  const { clients, seed } = options;
  const plans = planLives(
    { contest: 1 },
    sizeOf(options).races,
    seed + 1,
    environment.marketplaces,
  );
  const ready: { readonly life: Life; readonly order: SeenOrder }[] = [];
  await inLanes(plans, clients, async (plan) => {
    const random = randomOf(seed, RANDOM_STREAM + plan.number);
    const client = openClient(environment.urls, plan.marketplace.key, random, notebook);
    const life = newLife(plan, client, notebook, seed);
    const created = await create(life);
    const order = await walk(life, created, road({ atWork: completeThen(() => 'end') }));
    ready.push({ life, order });
  });
  const races: Races = { endings: [], responses: [] };
  const forgedIds: string[] = [];
  await inLanes(ready, clients, async ({ life, order }) => {
    const forgeries = [
      forge(environment, order, forgedIds, false),
      forge(environment, order, forgedIds, true),
    ];
    const [{ responses, order: ended, wrong }, unsigned, signed] = await Promise.all([
      contest(life, order),
      ...forgeries,
    ]);
    for (const each of wrong) complain(life, each);
    if (winnerOf(ended) === undefined) complain(life, `${order.id}: no request won`);
    races.endings.push(`${ended.status} ${ended.closeReason ?? ''}`.trimEnd());
    for (const [caller, each] of Object.entries(responses) as [Contender, ApiResponse][])
      races.responses.push({ caller, response: responseText(each) });
    races.responses.push({ caller: 'unsigned webhook', response: unsigned ?? '' });
    races.responses.push({ caller: 'forged webhook', response: signed ?? '' });
  });
  const { wrong } = notebook;
  wrong.push(...unlike(races, 'unsigned webhook', '200'));
  wrong.push(...unlike(races, 'forged webhook', '401 WEBHOOK_SIGNATURE_INVALID'));
  wrong.push(...(await storedForgeries(environment, forgedIds)));
  return races;
}

function unlike({ responses }: Races, name: Caller, as: string): string[] {
  return responses
    .filter(({ caller, response }) => caller === name && response !== as)
    .map(({ response }) => `the ${name} returned ${response}, not ${as}`);
}

/** Claims that the money was paid out. Unsigned, it is a hint; with a wrong signature, refused. */
async function forge(
  { urls }: Environment,
  order: SeenOrder,
  ids: string[],
  isSigned: boolean,
): Promise<string> {
  const eventId = randomUUID();
  ids.push(eventId);
  const body = {
    type: isSigned ? 'escrow.refunded' : 'escrow.released',
    event_id: eventId,
    data: {
      contract_id: order.escrow?.providerContractId,
      order_id: order.id,
      status: 'released',
      amount: '1000000000',
      currency: 'USDC',
      transaction_hash: randomBytes(32).toString('hex'),
    },
  };
  const headers = isSigned ? { 'x-escrow-signature': randomBytes(32).toString('hex') } : {};
  const url = `${urls[0]}/api/v1/webhooks/escrow-provider`;
  return responseText(await callAt(url, '', { body, headers }));
}

async function storedForgeries(
  { monitor }: Environment,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await monitor.query<{ id: string }>(
    'select provider_event_id as id from inbox where provider_event_id = any ($1)',
    [ids],
  );
  return rows.map(({ id }) => `the forged notification ${id} was stored`);
}
