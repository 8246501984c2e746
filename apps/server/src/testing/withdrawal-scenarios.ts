//! Right calls, and wrong ones, to every endpoint of withdrawals; and pay-outs that wait for a
//! look.
import { randomUUID } from 'node:crypto';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { commitWithdrawal } from '../withdrawals/commit-withdrawal.ts';
import type { Withdrawal } from '../withdrawals/withdrawal.ts';
import type { EscrowWorld } from './escrows.ts';
import type { Attempt, Scenario } from './order-scenarios.ts';
import { postponeAll } from './put-off.ts';
import {
  createdBy,
  holdPayouts,
  makePayout,
  payeeWith,
  wishOf,
  withdrawalIn,
} from './withdrawals.ts';
import type { Market } from './world.ts';

interface Place {
  readonly world: EscrowWorld;
  readonly market: Market;
}

const ENDS = ['COMPLETED', 'FAILED', 'CANCELED'] as const;

export function withdrawalScenarios(
  here: () => Place,
): Readonly<Record<string, readonly Scenario[]>> {
  const plain: Scenario = async () => ({});
  const on =
    (state: Withdrawal['status'], attempt: Attempt = {}): Scenario =>
    async () => {
      const { world, market } = await quiet(here());
      return { ids: { id: (await withdrawalIn(world, market, state)).id }, ...attempt };
    };
  const made =
    (make: (place: Place) => Promise<WithdrawalId>): Scenario =>
    async () => ({ ids: { id: await make(await quiet(here())) } });
  return {
    createWithdrawal: [
      async () => ({ body: wishOf(await payeeWith(here().world, here().market)) }),
      async () => {
        const { world, market } = here();
        const body = wishOf(await payeeWith(world, market));
        const headers = { 'idempotency-key': randomUUID() };
        await market.send('POST', '/withdrawals', { body, headers });
        return { body, headers, isRepeat: true };
      },
      async () => {
        const poor = await payeeWith(here().world, here().market, { funds: '19.99' });
        return { body: wishOf(poor), refused: 'INSUFFICIENT_FUNDS' };
      },
    ],
    listWithdrawals: [plain],
    getWithdrawal: [on('WITHDRAWAL_CREATED')],
    getWithdrawalStatement: [on('WITHDRAWAL_COMPLETED')],
    commitWithdrawal: [
      on('WITHDRAWAL_CREATED'),
      made(async ({ world, market }) =>
        createdBy(world, market, await payeeWith(world, market, { name: 'signup' })),
      ),
      ...ENDS.map((end) => made((place) => decided(place, end))),
      on('WITHDRAWAL_PENDING', { refused: 'INVALID_STATE' }),
    ],
    refreshWithdrawal: [
      on('WITHDRAWAL_COMMITTED'),
      made((place) => committedTo(place, 'signup')),
      ...ENDS.map((end) => made((place) => sentAnd(place, end))),
      on('WITHDRAWAL_COMPLETED', { isRepeat: true }),
    ],
  };
}

/** Nothing moves on by itself. */
async function quiet(place: Place): Promise<Place> {
  await holdPayouts(place.world);
  return place;
}

/** The provider knows it, and what will become of it. */
async function decided({ world, market }: Place, end: string): Promise<WithdrawalId> {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
  await makePayout(world, one, end);
  return one.id;
}

async function sentAnd({ world, market }: Place, end: string): Promise<WithdrawalId> {
  const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  await world.sandbox.setPayout(id, end);
  return id;
}

/** Its commit took effect, and the answer was lost. */
async function committedTo({ world, market }: Place, name: string): Promise<WithdrawalId> {
  const id = await createdBy(world, market, await payeeWith(world, market, { name }));
  await world.sandbox.arm('payment', 'payout.commit', 'drop-after');
  await commitWithdrawal(world.app, market.call, id).catch(() => undefined);
  await postponeAll(world);
  return id;
}

/** One for everything that a look can find, all due now. */
export async function duePayouts(place: Place): Promise<void> {
  await quiet(place);
  const ids = [await committedTo(place, 'payee'), await committedTo(place, 'signup')];
  for (const end of ENDS) ids.push(await sentAnd(place, end));
  await place.world.rows(
    `update withdrawal set next_look_at = now() - interval '1 second' where id = any ($1)`,
    [ids],
  );
}
