//! Checks the result of a cell: order, balances, external effects, addresses.

import type { ApiTarget, Fields } from '../../harness/api.ts';
import type { Journal } from '../../harness/journal.ts';
import { usdcAt } from '../../harness/sandbox.ts';
import type { OpenSet } from '../../harness/set.ts';
import type { Cell } from './cell.ts';
import { get } from './client.ts';
import type { OrderFixture } from './order-fixture.ts';
import type { Effects, Ending } from './sagas.ts';

const STROOPS_OF_CENT = 100_000n;

/** Access to the effects: the sandbox's journal, and the rows. */
type Witness = Pick<OpenSet, 'monitor' | 'sandbox'> & { readonly journal: Journal };

export async function checkEnding(
  environment: ApiTarget,
  fixture: OrderFixture,
  ending: Ending,
): Promise<string[]> {
  const order = await get(environment, `/orders/${fixture.orderId}`);
  const found: Ending = {
    order: String(order['status']),
    closeReason: order['closeReason'] as string | null,
    escrow: statusOf(order['escrow']),
    dispute: statusOf(order['dispute']),
    buyer: await balanceText(environment, fixture.buyerId),
    seller: await balanceText(environment, fixture.sellerId),
  };
  const names = Object.keys(ending) as (keyof Ending)[];
  return names
    .filter((name) => found[name] !== ending[name])
    .map((name) => `${name} is ${found[name]}, not ${ending[name]}`);
}

function statusOf(part: unknown): string | null {
  return part === null ? null : String((part as Fields)['status']);
}

async function balanceText(environment: ApiTarget, userId: string): Promise<string> {
  const { available, reserved } = await get(environment, `/users/${userId}/balance`);
  return `${String(available)} ${String(reserved)}`;
}

/** Each effect happened as often as intended, and at the end both addresses match the books. */
export async function checkEffects(
  environment: Witness,
  { saga, milestones }: Pick<Cell, 'saga' | 'milestones'>,
  fixture: OrderFixture,
  isUndone: boolean,
): Promise<string[]> {
  const found = await environment.journal.effectsOf(fixture.orderId);
  const expected = addUp(saga.effects(Math.max(1, milestones)), isUndone ? saga.effectsAgain : {});
  const names = [...new Set([...found.keys(), ...Object.keys(expected)])];
  const wrong = names
    .filter((name) => (found.get(name) ?? 0) !== (expected[name] ?? 0))
    .map((name) => `${name} took effect ${found.get(name) ?? 0} times, not ${expected[name] ?? 0}`);
  if (saga.done.order !== 'CLOSED') return wrong;
  return [...wrong, ...(await checkAddresses(environment, fixture))];
}

function addUp(some: Effects, more: Effects = {}): Record<string, number> {
  const sum: Record<string, number> = { ...some };
  for (const [name, times] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + times;
  return sum;
}

/** The mirror: a user's address on the network holds the balance of the books. */
async function checkAddresses(environment: Witness, fixture: OrderFixture): Promise<string[]> {
  const { rows } = await environment.monitor.query<{
    address: string;
    booked: string;
    user_id: string;
  }>(
    `select wallet.address, wallet.user_id, sum(account.available + account.reserved) as booked
     from wallet join account on account.marketplace_id = wallet.marketplace_id
       and account.kind = 'user' and account.owner_id = wallet.user_id
     where wallet.user_id in ($1, $2) group by 1, 2`,
    [fixture.buyerId, fixture.sellerId],
  );
  const wrong: string[] = rows.length === 2 ? [] : [`${rows.length} wallets, not 2`];
  for (const { address, booked, user_id: userId } of rows) {
    const held = await usdcAt(environment.sandbox, address);
    if (held !== BigInt(booked) * STROOPS_OF_CENT)
      wrong.push(`the address of ${userId} holds ${held} stroops, the books ${booked}`);
  }
  return wrong;
}
