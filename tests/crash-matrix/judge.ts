//! Holds what a cell left behind to what it must be: order, balances, effects outside, addresses.

import type { Door, Fields } from '../harness/api.ts';
import type { Journal } from '../harness/journal.ts';
import { usdcAt } from '../harness/sandbox.ts';
import type { OpenSet } from '../harness/set.ts';
import type { Cell } from './cell.ts';
import { look } from './client.ts';
import type { Deal } from './deal.ts';
import type { Effects, Ending } from './sagas.ts';

const STROOPS_OF_CENT = 100_000n;

/** What saw the effects: the world itself, and the rows. */
type Witness = Pick<OpenSet, 'monitor' | 'sandbox'> & { readonly journal: Journal };

export async function judgeEnding(stage: Door, deal: Deal, ending: Ending): Promise<string[]> {
  const order = await look(stage, `/orders/${deal.orderId}`);
  const found: Ending = {
    order: String(order['status']),
    closeReason: order['closeReason'] as string | null,
    escrow: statusOf(order['escrow']),
    dispute: statusOf(order['dispute']),
    buyer: await balanceText(stage, deal.buyerId),
    seller: await balanceText(stage, deal.sellerId),
  };
  const names = Object.keys(ending) as (keyof Ending)[];
  return names
    .filter((name) => found[name] !== ending[name])
    .map((name) => `${name} is ${found[name]}, not ${ending[name]}`);
}

function statusOf(part: unknown): string | null {
  return part === null ? null : String((part as Fields)['status']);
}

async function balanceText(stage: Door, userId: string): Promise<string> {
  const { available, reserved } = await look(stage, `/users/${userId}/balance`);
  return `${String(available)} ${String(reserved)}`;
}

/** Each effect as often as it was meant, and at the end both addresses hold what the books say. */
export async function judgeEffects(
  stage: Witness,
  { saga, milestones }: Pick<Cell, 'saga' | 'milestones'>,
  deal: Deal,
  isUndone: boolean,
): Promise<string[]> {
  const found = await stage.journal.effectsOf(deal.orderId);
  const meant = addUp(saga.effects(Math.max(1, milestones)), isUndone ? saga.effectsAgain : {});
  const names = [...new Set([...found.keys(), ...Object.keys(meant)])];
  const wrong = names
    .filter((name) => (found.get(name) ?? 0) !== (meant[name] ?? 0))
    .map((name) => `${name} took effect ${found.get(name) ?? 0} times, not ${meant[name] ?? 0}`);
  if (saga.done.order !== 'CLOSED') return wrong;
  return [...wrong, ...(await judgeAddresses(stage, deal))];
}

function addUp(some: Effects, more: Effects = {}): Record<string, number> {
  const sum: Record<string, number> = { ...some };
  for (const [name, times] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + times;
  return sum;
}

/** The mirror: what a user's address holds on the network is what the books say. */
async function judgeAddresses(stage: Witness, deal: Deal): Promise<string[]> {
  const { rows } = await stage.monitor.query<{ address: string; booked: string; user_id: string }>(
    `select wallet.address, wallet.user_id, sum(account.available + account.reserved) as booked
     from wallet join account on account.marketplace_id = wallet.marketplace_id
       and account.kind = 'user' and account.owner_id = wallet.user_id
     where wallet.user_id in ($1, $2) group by 1, 2`,
    [deal.buyerId, deal.sellerId],
  );
  const wrong: string[] = rows.length === 2 ? [] : [`${rows.length} wallets, not 2`];
  for (const { address, booked, user_id: userId } of rows) {
    const held = await usdcAt(stage.sandbox, address);
    if (held !== BigInt(booked) * STROOPS_OF_CENT)
      wrong.push(`the address of ${userId} holds ${held} stroops, the books ${booked}`);
  }
  return wrong;
}
