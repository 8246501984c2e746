//! Orders at work that release, refund, dispute and two forged webhooks meet at once.
import { randomBytes, randomUUID } from 'node:crypto';
import { type Answer, answerText, askAt } from '../harness/api.ts';
import { chanceOf } from '../harness/chance.ts';
import { inLanes } from '../harness/lanes.ts';
import { openClient } from './client.ts';
import { type Contender, contest, winnerOf } from './contest.ts';
import { completeThen, road } from './deeds.ts';
import { complain, create, type Life, newLife, walk } from './life.ts';
import type { Notebook } from './notebook.ts';
import { type ChaosOptions, sizeOf } from './options.ts';
import type { SeenOrder } from './order.ts';
import { planLives } from './plan.ts';
import type { Stage } from './stage.ts';

type Caller = Contender | 'unsigned webhook' | 'forged webhook';

export interface Races {
  /** How each of them ended. */
  readonly endings: string[];
  readonly answers: { readonly caller: Caller; readonly answer: string }[];
}

const LUCK = 900_000;

export async function runRaces(
  stage: Stage,
  options: ChaosOptions,
  notebook: Notebook,
): Promise<Races> {
  const { clients, seed } = options;
  const plans = planLives({ contest: 1 }, sizeOf(options).races, seed + 1, stage.marketplaces);
  const ready: { readonly life: Life; readonly order: SeenOrder }[] = [];
  await inLanes(plans, clients, async (plan) => {
    const chance = chanceOf(seed, LUCK + plan.number);
    const client = openClient(stage.urls, plan.marketplace.key, chance, notebook);
    const life = newLife(plan, client, notebook, seed);
    const created = await create(life);
    const order = await walk(life, created, road({ atWork: completeThen(() => 'end') }));
    ready.push({ life, order });
  });
  const races: Races = { endings: [], answers: [] };
  const forgedIds: string[] = [];
  await inLanes(ready, clients, async ({ life, order }) => {
    const forgeries = [forge(stage, order, forgedIds, false), forge(stage, order, forgedIds, true)];
    const [{ answers, order: ended, wrong }, unsigned, signed] = await Promise.all([
      contest(life, order),
      ...forgeries,
    ]);
    for (const each of wrong) complain(life, each);
    if (winnerOf(ended) === undefined) complain(life, `${order.id}: nobody won`);
    races.endings.push(`${ended.status} ${ended.closeReason ?? ''}`.trimEnd());
    for (const [caller, each] of Object.entries(answers) as [Contender, Answer][])
      races.answers.push({ caller, answer: answerText(each) });
    races.answers.push({ caller: 'unsigned webhook', answer: unsigned ?? '' });
    races.answers.push({ caller: 'forged webhook', answer: signed ?? '' });
  });
  const { wrong } = notebook;
  wrong.push(...unlike(races, 'unsigned webhook', '200'));
  wrong.push(...unlike(races, 'forged webhook', '401 WEBHOOK_SIGNATURE_INVALID'));
  wrong.push(...(await keptForgeries(stage, forgedIds)));
  return races;
}

function unlike({ answers }: Races, name: Caller, as: string): string[] {
  return answers
    .filter(({ caller, answer }) => caller === name && answer !== as)
    .map(({ answer }) => `the ${name} was answered ${answer}, not ${as}`);
}

/** Says that the money has gone. Without a signature it is a hint, with a wrong one nothing. */
async function forge(
  { urls }: Stage,
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
  return answerText(await askAt(url, '', { body, headers }));
}

async function keptForgeries({ monitor }: Stage, ids: readonly string[]): Promise<string[]> {
  const { rows } = await monitor.query<{ id: string }>(
    'select provider_event_id as id from inbox where provider_event_id = any ($1)',
    [ids],
  );
  return rows.map(({ id }) => `the forged notice ${id} was kept`);
}
