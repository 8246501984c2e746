//! Checks the end state of a run, when nothing is in flight, through the API, the network and the
//! auditor.

import { isGood, responseText } from '../../harness/api.ts';
import { randomOf } from '../../harness/random.ts';
import { auditRun } from '../../harness/run.ts';
import { readJournal, usdcAt } from '../../harness/sandbox.ts';
import { standingStops } from './check-stops.ts';
import { type Client, openClient } from './client.ts';
import { wrongEffects } from './effects.ts';
import { type Environment, FIRST_MONEY, type Marketplace } from './environment.ts';
import { type Purse, purses, wrongFees } from './model.ts';
import { type Notebook, newNotebook } from './notebook.ts';
import { centsOf, isSettled, type SeenOrder } from './order.ts';
import { brokenPromises } from './promises.ts';

export interface Verdict {
  readonly orders: readonly SeenOrder[];
  readonly wrong: readonly string[];
}

const STROOPS_OF_CENT = 100_000n;

export async function checkRun(environment: Environment, notebook: Notebook): Promise<Verdict> {
  const finals = new Map<string, SeenOrder>();
  const wrong: string[] = [];
  for (const marketplace of environment.marketplaces) {
    const client = openClient(environment.urls, marketplace.key, randomOf(1, 1), newNotebook());
    const found = await readOrders(client, reportedIn(notebook, marketplace));
    wrong.push(...found.wrong, ...wrongFees(found.orders));
    for (const order of found.orders) finals.set(order.id, order);
    wrong.push(...(await wrongPurses(environment, client, marketplace, found.orders)));
  }
  const orders = [...finals.values()];
  wrong.push(...brokenPromises(notebook.reported, finals));
  wrong.push(...(await unreportedOrders(environment, finals)));
  wrong.push(...(await standingStops(environment.monitor)));
  const { rows } = await environment.monitor.query<{ id: string }>(
    `select id from orders where metadata ->> 'projectId' is not null`,
  );
  const ofMembers = new Set(rows.map(({ id }) => id));
  const journal = await readJournal(environment.sandbox);
  const ours = journal.filter(({ orderId }) => !ofMembers.has(orderId ?? ''));
  wrong.push(...wrongEffects(orders, ours));
  wrong.unshift(...(await auditRun({ ...environment, isConverged: true })));
  return { orders, wrong };
}

/** Every order of this marketplace that a response showed. */
function reportedIn({ reported: balance }: Notebook, { userIds }: Marketplace): Set<string> {
  const ours = new Set(userIds);
  return new Set(
    balance.flatMap(({ order }) =>
      order !== undefined && ours.has(order.buyerId) ? [order.id] : [],
    ),
  );
}

async function readOrders(client: Client, ids: ReadonlySet<string>): Promise<Verdict> {
  const orders: SeenOrder[] = [];
  const wrong: string[] = [];
  for (const id of ids) {
    const response = await client.callWithRetry({
      action: 'poll',
      path: `/orders/${id}`,
      method: 'GET',
    });
    if (isGood(response)) orders.push(response.data as SeenOrder);
    else wrong.push(`${id} was reported, and now returns ${responseText(response)}`);
  }
  return { orders, wrong };
}

/** A client that repeats its reference has one order, however many responses were lost. */
async function unreportedOrders(
  { monitor }: Environment,
  finals: ReadonlyMap<string, SeenOrder>,
): Promise<string[]> {
  // Orders of Surface B members have their own checks.
  const { rows } = await monitor.query<{ id: string }>(
    `select id from orders where metadata ->> 'projectId' is null`,
  );
  return rows
    .filter(({ id }) => !finals.has(id))
    .map(({ id }) => `${id} was never reported to a client`);
}

async function wrongPurses(
  environment: Environment,
  client: Client,
  { userIds }: Marketplace,
  orders: readonly SeenOrder[],
): Promise<string[]> {
  const settled = new Set(
    orders.filter(isSettled).flatMap(({ buyerId, sellerId }) => [buyerId, sellerId]),
  );
  const addresses = await addressesOf(environment, userIds);
  const wrong: string[] = [];
  for (const [userId, purse] of purses(userIds, FIRST_MONEY, orders)) {
    const path = `/users/${userId}/balance`;
    const { data } = await client.callWithRetry({ action: 'balance', path, method: 'GET' });
    const balance = data as { readonly available: string; readonly reserved: string };
    const found = { available: centsOf(balance.available), reserved: centsOf(balance.reserved) };
    if (found.available !== purse.available || found.reserved !== purse.reserved)
      wrong.push(`${userId} has ${purseText(found)}, and must have ${purseText(purse)}`);
    // A user's first settlement brings the address to the books, and each later one keeps it so.
    if (!settled.has(userId)) continue;
    const held = await usdcAt(environment.sandbox, addresses.get(userId) ?? '');
    if (held !== (purse.available + purse.reserved) * STROOPS_OF_CENT)
      wrong.push(`the address of ${userId} holds ${held} stroops, the books ${purseText(purse)}`);
  }
  return wrong;
}

async function addressesOf(
  { monitor }: Environment,
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
