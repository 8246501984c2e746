//! Users whose addresses the mirror maintains, with money in their books, and their transfers.
import type { UserId } from '@holdfast/kernel/ids';
import { creditBalance } from '../accounts/books/credit-balance.ts';
import { addressOf, type SandboxWorld } from './sandbox-world.ts';
import type { Market } from './world.ts';

/**
 * This many users with wallets, each with this amount in the books and nothing at the address yet.
 */
export async function usersWith(
  world: SandboxWorld,
  market: Market,
  count: number,
  amount = '10.00',
): Promise<UserId[]> {
  const users: UserId[] = [];
  for (let number = 0; number < count; number += 1) users.push(await market.user());
  await world.runWorker();
  await Promise.all(
    users.map((userId) => creditBalance(world.app, market.call, userId, { amount })),
  );
  return users;
}

/** The amounts of plain payments to an address, in order. */
export async function paidTo(world: SandboxWorld, userId: UserId): Promise<string[]> {
  const address = await addressOf(world, userId);
  const journal = await world.sandbox.journal();
  const paid = journal.filter(({ effect, to }) => effect === 'ledger.payment' && to === address);
  return paid.map(({ amount = '' }) => amount);
}

/** The number of transfers in each batch of a marketplace, in order, by how it ended. */
export async function batchSizes(
  world: SandboxWorld,
  market: Market,
  status: 'APPLIED' | 'FAILED' = 'APPLIED',
): Promise<number[]> {
  const rows = await world.rows<{ n: number }>(
    `select count(*)::int as n from mirror_batch b join mirror_item i
       on i.marketplace_id = b.marketplace_id and i.batch_id = b.id
     join marketplace m on m.id = b.marketplace_id
     where b.status = $1 and m.public_id = $2 group by b.id order by b.id`,
    [status, market.id],
  );
  return rows.map(({ n }) => n);
}

export async function auditsOf(
  world: SandboxWorld,
  resourceId: string,
  action: string,
): Promise<{ reason: string | null; after: Record<string, string> }[]> {
  return world.rows(
    'select reason, after from audit where resource_id = $1 and action = $2 order by id',
    [resourceId, action],
  );
}
