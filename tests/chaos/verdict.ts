//! Everything that must be so when nothing moves any more, found out through the API, the network
//! and the auditor.

import { answerText, isGood } from '../harness/api.ts';
import { chanceOf } from '../harness/chance.ts';
import { auditRun } from '../harness/run.ts';
import { readJournal, usdcAt } from '../harness/sandbox.ts';
import { type Client, openClient } from './client.ts';
import { wrongEffects } from './effects.ts';
import { type Purse, purses, wrongFees } from './model.ts';
import { type Notebook, newNotebook } from './notebook.ts';
import { centsOf, isSettled, type SeenOrder } from './order.ts';
import { brokenPromises } from './promises.ts';
import { FIRST_MONEY, type Marketplace, type Stage } from './stage.ts';

export interface Verdict {
  readonly orders: readonly SeenOrder[];
  readonly wrong: readonly string[];
}

const STROOPS_OF_CENT = 100_000n;

export async function judge(stage: Stage, notebook: Notebook): Promise<Verdict> {
  const finals = new Map<string, SeenOrder>();
  const wrong: string[] = [];
  for (const marketplace of stage.marketplaces) {
    const client = openClient(stage.urls, marketplace.key, chanceOf(1, 1), newNotebook());
    const found = await readOrders(client, toldIn(notebook, marketplace));
    wrong.push(...found.wrong, ...wrongFees(found.orders));
    for (const order of found.orders) finals.set(order.id, order);
    wrong.push(...(await wrongPurses(stage, client, marketplace, found.orders)));
  }
  const orders = [...finals.values()];
  wrong.push(...brokenPromises(notebook.told, finals));
  wrong.push(...(await untoldOrders(stage, finals)));
  const { rows } = await stage.monitor.query<{ id: string }>(
    `select id from orders where metadata ->> 'projectId' is not null`,
  );
  const ofMembers = new Set(rows.map(({ id }) => id));
  const journal = await readJournal(stage.sandbox);
  const ours = journal.filter(({ orderId }) => !ofMembers.has(orderId ?? ''));
  wrong.push(...wrongEffects(orders, ours));
  wrong.unshift(...(await auditRun({ ...stage, isConverged: true })));
  return { orders, wrong };
}

/** Every order that its clients were told of. */
function toldIn({ told }: Notebook, { userIds }: Marketplace): Set<string> {
  const ours = new Set(userIds);
  return new Set(
    told.flatMap(({ order }) => (order !== undefined && ours.has(order.buyerId) ? [order.id] : [])),
  );
}

async function readOrders(client: Client, ids: ReadonlySet<string>): Promise<Verdict> {
  const orders: SeenOrder[] = [];
  const wrong: string[] = [];
  for (const id of ids) {
    const answer = await client.insist({ deed: 'look', path: `/orders/${id}`, method: 'GET' });
    if (isGood(answer)) orders.push(answer.data as SeenOrder);
    else wrong.push(`${id} was told, and is answered ${answerText(answer)}`);
  }
  return { orders, wrong };
}

/** A client that repeats with its reference has one order, however often its answer was lost. */
async function untoldOrders(
  { monitor }: Stage,
  finals: ReadonlyMap<string, SeenOrder>,
): Promise<string[]> {
  // Members of Surface B are judged by themselves.
  const { rows } = await monitor.query<{ id: string }>(
    `select id from orders where metadata ->> 'projectId' is null`,
  );
  return rows.filter(({ id }) => !finals.has(id)).map(({ id }) => `${id} was told to nobody`);
}

async function wrongPurses(
  stage: Stage,
  client: Client,
  { userIds }: Marketplace,
  orders: readonly SeenOrder[],
): Promise<string[]> {
  const settled = new Set(
    orders.filter(isSettled).flatMap(({ buyerId, sellerId }) => [buyerId, sellerId]),
  );
  const addresses = await addressesOf(stage, userIds);
  const wrong: string[] = [];
  for (const [userId, purse] of purses(userIds, FIRST_MONEY, orders)) {
    const path = `/users/${userId}/balance`;
    const { data } = await client.insist({ deed: 'balance', path, method: 'GET' });
    const told = data as { readonly available: string; readonly reserved: string };
    const found = { available: centsOf(told.available), reserved: centsOf(told.reserved) };
    if (found.available !== purse.available || found.reserved !== purse.reserved)
      wrong.push(`${userId} has ${purseText(found)}, and must have ${purseText(purse)}`);
    // Its first settlement brings an address to what the books say, and each one after keeps it so.
    if (!settled.has(userId)) continue;
    const held = await usdcAt(stage.sandbox, addresses.get(userId) ?? '');
    if (held !== (purse.available + purse.reserved) * STROOPS_OF_CENT)
      wrong.push(`the address of ${userId} holds ${held} stroops, the books ${purseText(purse)}`);
  }
  return wrong;
}

async function addressesOf(
  { monitor }: Stage,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await monitor.query<{ id: string; address: string }>(
    'select user_id as id, address from wallet where user_id = any ($1)',
    [userIds],
  );
  return new Map(rows.map(({ id, address }) => [id, address]));
}

function purseText({ available, reserved }: Purse): string {
  return `${available} cents and ${reserved} reserved`;
}
