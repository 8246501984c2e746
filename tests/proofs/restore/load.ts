//! Credits, orders and withdrawals of a marketplace at once, and what its client knows of them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { minorText } from '@holdfast/kernel/money';
import type pg from 'pg';
import { type ApiResponse, call, type Fields, isGood } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { createPerson, type Person } from '../../harness/people.ts';
import { awaitWallets, rest } from '../../harness/rest.ts';
import type { Run } from './environment.ts';

/** A write that the service has confirmed, and the id by which it is found. */
export interface Acknowledged {
  readonly kind: Kind;
  readonly id: string;
  /** Of the request that was confirmed. */
  readonly requestId: string;
}

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  readonly orderIds: readonly string[];
  /** Of each withdrawal requested, its amount: no other payment has it. */
  readonly amounts: readonly string[];
  /** Calls until the result is called, which waits for the last responses. */
  start(): () => Promise<void>;
  /** Others from now on too: the recovery freezes users whose payments it cannot explain. */
  admit(): Promise<void>;
  /** One withdrawal over the network, once; returns its amount. */
  withdraw(): Promise<string>;
  /** One credit, once. */
  credit(): Promise<ApiResponse>;
}

type Kind = keyof typeof FOUND_BY;
type Sent = ApiResponse & { readonly requestId: string };

/** Where a confirmed write is found. */
const FOUND_BY = {
  credit: 'select reference as id from entry_reference where reference = any ($1)',
  order: 'select id from orders where id = any ($1)',
  release: `select id from orders where id = any ($1) and status in ('RELEASED', 'CLOSED')`,
  withdrawal: 'select id from withdrawal where id = any ($1)',
  commit: `select id from withdrawal where id = any ($1) and status <> 'WITHDRAWAL_CREATED'`,
} as const;

const PEOPLE = 10;
const ADMITTED = 2;
const FUNDS = '5000.00';
const CENTS_MIN = 10_00;
const LANES = { credit: 1, order: 1, network: 3, provider: 1 };
const PAUSE_MS = { credit: 40, order: 20, network: 100, provider: 100 };
/** Without a worker, no response comes; the withdrawal stays committed. */
const RESPONSE_MS_MAX = 1500;

export async function openLoad(run: Run): Promise<Load> {
  const { post, target, monitor, payee } = run;
  const people = await inLanes(Array.from({ length: PEOPLE }), 2, () =>
    createPerson(post, { credit: FUNDS }),
  );
  await awaitWallets(monitor, PEOPLE);
  await rest(monitor);
  const acknowledged: Acknowledged[] = [];
  const orderIds: string[] = [];
  const amounts: string[] = [];
  let used = 0;
  const next = () => {
    used += 1;
    return people[used % people.length] as Person;
  };
  const send = async (path: string, body: object, key?: string): Promise<Sent> => {
    const requestId = randomUUID();
    const sent = { path, body, key, requestId, msMax: RESPONSE_MS_MAX, method: 'POST' } as const;
    return { ...(await call(target, sent)), requestId };
  };
  const note = (kind: Kind, id: string, { requestId }: Sent) =>
    acknowledged.push({ kind, id, requestId });
  const idOf = ({ data }: ApiResponse) => String((data as Fields)['id']);
  const credit = async () => {
    const reference = randomUUID();
    const path = `/users/${next().id}/balance/credit`;
    const response = await send(path, { amount: '0.01', reference });
    if (isGood(response)) note('credit', reference, response);
    return response;
  };
  const order = async () => {
    const [buyerId, sellerId] = [next().id, next().id];
    const created = await send('/orders', { buyerId, sellerId, amount: '5.00', title: 'A table' });
    if (!isGood(created)) return;
    const id = idOf(created);
    orderIds.push(id);
    note('order', id, created);
    for (const step of ['reserve', 'escrow', 'escrow/fund', 'resolution/release']) {
      const response = await send(`/orders/${id}/${step}`, {});
      if (!isGood(response)) return;
      if (step === 'resolution/release') note('release', id, response);
    }
  };
  const withdrawTo = async (type: 'crypto' | 'payment_account') => {
    const amount = minorText(BigInt(CENTS_MIN + amounts.length));
    amounts.push(amount);
    const { id: userId, email } = next();
    const destination = { type, ref: type === 'crypto' ? payee : email };
    const input = { userId, amount, currency: 'USD', destination };
    const created = await send('/withdrawals', input, randomUUID());
    if (!isGood(created)) return amount;
    const id = idOf(created);
    note('withdrawal', id, created);
    const committed = await send(`/withdrawals/${id}/commit`, {}, randomUUID());
    if (isGood(committed)) note('commit', id, committed);
    return amount;
  };
  const admit = async () => {
    for (let left = ADMITTED; left > 0; left -= 1)
      people.push(await createPerson(post, { credit: FUNDS }));
  };
  const withdraw = () => withdrawTo('crypto');
  const acts = { credit, order, network: withdraw, provider: () => withdrawTo('payment_account') };
  const start = () => startLanes(acts);
  return { acknowledged, orderIds, amounts, admit, withdraw, credit, start };
}

/** The result stops them, and waits for the last responses. */
function startLanes(acts: Readonly<Record<keyof typeof LANES, () => Promise<unknown>>>) {
  let isOver = false;
  const lanes = Object.entries(LANES).flatMap(([name, count]) =>
    Array.from({ length: count }, () => name as keyof typeof LANES),
  );
  const running = inLanes(lanes, lanes.length, async (name) => {
    while (!isOver) {
      await acts[name]();
      await sleep(PAUSE_MS[name]);
    }
  });
  return async () => {
    isOver = true;
    await running;
  };
}

/** Those that the database does not have. */
export async function findMissing(
  database: pg.Pool,
  acknowledged: readonly Acknowledged[],
): Promise<readonly Acknowledged[]> {
  const missing: Acknowledged[] = [];
  for (const [kind, some] of Map.groupBy(acknowledged, (each) => each.kind)) {
    const ids = some.map(({ id }) => id);
    const { rows } = await database.query<{ id: string }>(FOUND_BY[kind], [ids]);
    const found = new Set(rows.map(({ id }) => id));
    missing.push(...some.filter(({ id }) => !found.has(id)));
  }
  return missing;
}
