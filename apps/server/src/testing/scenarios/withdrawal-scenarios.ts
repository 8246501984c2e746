//! Valid and invalid calls to every endpoint of withdrawals; and payouts that are due for a poll.
import { randomUUID } from 'node:crypto';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { commitWithdrawal } from '../../payments/withdrawals/commit-withdrawal.ts';
import type { Withdrawal } from '../../payments/withdrawals/withdrawal.ts';
import { owe } from '../debts.ts';
import { postponeAll, setWithdrawalsDue } from '../due.ts';
import type { EscrowWorld } from '../escrows.ts';
import {
  createdBy,
  holdPayouts,
  inputOf,
  payeeWith,
  seedPayout,
  withdrawalIn,
} from '../withdrawals.ts';
import type { Market } from '../world.ts';
import type { Attempt, Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

const ENDS = ['COMPLETED', 'FAILED', 'CANCELED'] as const;

export function withdrawalScenarios(
  here: () => ScenarioContext,
): Readonly<Record<string, readonly Scenario[]>> {
  const plain: Scenario = async () => ({});
  const on =
    (state: Withdrawal['status'], attempt: Attempt = {}): Scenario =>
    async () => {
      const { world, market } = await quiet(here());
      return { ids: { id: (await withdrawalIn(world, market, state)).id }, ...attempt };
    };
  const onCreated =
    (create: (context: ScenarioContext) => Promise<WithdrawalId>): Scenario =>
    async () => ({ ids: { id: await create(await quiet(here())) } });
  return {
    createWithdrawal: [
      async () => ({ body: inputOf(await payeeWith(here().world, here().market)) }),
      async () => {
        const { world, market } = here();
        const body = inputOf(await payeeWith(world, market));
        const headers = { 'idempotency-key': randomUUID() };
        await market.send('POST', '/withdrawals', { body, headers });
        return { body, headers, isRepeat: true };
      },
      async () => {
        const poor = await payeeWith(here().world, here().market, { funds: '19.99' });
        return { body: inputOf(poor), refused: 'INSUFFICIENT_FUNDS' };
      },
    ],
    listWithdrawals: [plain],
    getWithdrawal: [on('WITHDRAWAL_CREATED')],
    getWithdrawalStatement: [on('WITHDRAWAL_COMPLETED')],
    commitWithdrawal: [
      on('WITHDRAWAL_CREATED'),
      onCreated(async ({ world, market }) =>
        createdBy(world, market, await payeeWith(world, market, { name: 'signup' })),
      ),
      ...ENDS.map((end) => onCreated((context) => decided(context, end))),
      on('WITHDRAWAL_PENDING', { refused: 'INVALID_STATE' }),
    ],
    cancelWithdrawal: [
      on('WITHDRAWAL_CREATED'),
      on('WITHDRAWAL_PENDING'),
      on('WITHDRAWAL_COMPLETED', { refused: 'INVALID_STATE' }),
    ],
    refreshWithdrawal: [
      on('WITHDRAWAL_COMMITTED'),
      onCreated((context) => committedTo(context, 'signup')),
      ...ENDS.map((end) => onCreated((context) => sentAnd(context, end))),
      onCreated(returned),
      on('WITHDRAWAL_COMPLETED', { isRepeat: true }),
    ],
  };
}

/** No operation continues by itself. */
async function quiet(context: ScenarioContext): Promise<ScenarioContext> {
  await holdPayouts(context.world);
  return context;
}

/** The provider has the payout, and its final status is set. */
async function decided({ world, market }: ScenarioContext, end: string): Promise<WithdrawalId> {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
  await seedPayout(world, one, end);
  return one.id;
}

async function sentAnd({ world, market }: ScenarioContext, end: string): Promise<WithdrawalId> {
  const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  await world.sandbox.setPayout(id, end);
  return id;
}

/** It was completed, and the recipient's bank has returned it to a user who owes money. */
async function returned({ world, market }: ScenarioContext): Promise<WithdrawalId> {
  const { id, userId } = await withdrawalIn(world, market, 'WITHDRAWAL_COMPLETED');
  await owe(world, market, userId);
  await world.sandbox.control('POST', `/payouts/${id}/return`);
  await setWithdrawalsDue(world, [id]);
  return id;
}

/** Its commit took effect, and the reply was lost. */
async function committedTo(
  { world, market }: ScenarioContext,
  name: string,
): Promise<WithdrawalId> {
  const id = await createdBy(world, market, await payeeWith(world, market, { name }));
  await world.sandbox.arm('payment', 'payout.commit', 'drop-after');
  await commitWithdrawal(world.app, market.call, id).catch(() => undefined);
  await postponeAll(world);
  return id;
}

/** One that was not committed in time. */
export async function overdueWithdrawal({ world, market }: ScenarioContext): Promise<void> {
  const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
  await world.rows(`update withdrawal set expires_at = now() where id = $1`, [id]);
}

/** One for each status that a poll can find, all due now. */
export async function duePayouts(context: ScenarioContext): Promise<void> {
  await quiet(context);
  const ids = [await committedTo(context, 'payee'), await committedTo(context, 'signup')];
  for (const end of ENDS) ids.push(await sentAnd(context, end));
  ids.push(await returned(context));
  await setWithdrawalsDue(context.world, ids);
}
