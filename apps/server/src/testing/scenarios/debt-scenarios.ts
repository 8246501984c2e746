//! Calls that pay users who owe money, or that hold or charge their money: what is owed is repaid
//! first, and what a charge leaves open becomes a debt.
import type { ExceptionId, UserId } from '@holdfast/kernel/ids';
import { listExceptions } from '../../assurance/reconciliation/read-reconciliation.ts';
import { owe } from '../debts.ts';
import { type EscrowWorld, escrowOrderIn } from '../escrows.ts';
import { messageAbout, sendPayment } from '../payment-webhooks.ts';
import { doublePayout, reconciled } from '../reconciliation.ts';
import { requestTopup } from '../topups.ts';
import { inputOf, payeeWith, withdrawalIn } from '../withdrawals.ts';
import type { Market } from '../world.ts';
import type { Scenario } from './order-scenarios.ts';
import { anException } from './reconciliation-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

type Scenarios = Readonly<Record<string, readonly Scenario[]>>;

/**
 * By operation. Top-ups, deposits, returned payouts and notifications have theirs among
 * their own.
 */
export function debtScenarios(here: () => ScenarioContext): Scenarios {
  const paying =
    (state: 'ORDER_CREATED' | 'IN_PROGRESS', payee: 'buyerId' | 'sellerId', body = {}): Scenario =>
    async () => {
      const { world, market } = here();
      const order = await escrowOrderIn(world, market, state, { funds: '130.00' });
      await owe(world, market, order[payee]);
      return { ids: { id: order.id, orderId: order.id }, body };
    };
  return {
    reserveOrder: [paying('ORDER_CREATED', 'buyerId')],
    releaseOrder: [paying('IN_PROGRESS', 'sellerId')],
    refundOrder: [paying('IN_PROGRESS', 'buyerId', { reason: 'r' })],
    resolveDispute: [
      async () => {
        const { world, market } = here();
        const { disputeId, sellerId } = await escrowOrderIn(world, market, 'UNDER_REVIEW');
        await owe(world, market, sellerId);
        return { ids: { id: disputeId }, body: { decision: 'FULL_RELEASE' } };
      },
    ],
    createWithdrawal: [
      async () => {
        const payee = await payeeWith(here().world, here().market);
        await owe(here().world, here().market, payee.userId);
        return { body: inputOf(payee) };
      },
    ],
    resolveException: [
      async () => ({
        ids: { id: await anException(here(), await owingUser(here())) },
        body: { action: 'APPLY_AGAIN', reason: 'the watcher was off' },
      }),
      charge(here),
      takeBack(here),
    ],
    writeOffDebt: [
      async () => ({
        ids: { id: await owingUser(here()) },
        body: { amount: '30.00', currency: 'USD', reason: 'not worth a lawyer' },
      }),
    ],
    seedLab: [
      async () => {
        const { world, market } = here();
        await world.runWorker();
        const path = '/lab/seed';
        const reserved = await market.send('POST', path, {
          body: { sample: 'order-reserved', count: 1 },
        });
        const [{ id }] = reserved.json.data.data.orders;
        const order = await market.send('GET', `/orders/${id}`);
        await owe(world, market, order.json.data.data.sellerId);
        await world.runWorker();
        return { body: { sample: 'order-released', count: 1 } };
      },
    ],
  };
}

async function owingUser({ world, market }: ScenarioContext): Promise<UserId> {
  return owe(world, market, await market.user());
}

/** A payment that only a notification has reported, taken back from its user. */
function takeBack(here: () => ScenarioContext): Scenario {
  return async () => {
    const { world, market } = here();
    const topup = await requestTopup(world, market);
    await sendPayment(world, messageAbout(topup, 'payin.succeeded'));
    await world.rows(`update lien set opened_at = opened_at - interval '1 hour'`);
    const id = await foundFor(here(), 'MONEY_UNCONFIRMED', topup.id);
    const body = { action: 'CHARGE_USER', reason: 'it never came', expectedAmount: '-50' };
    return { ids: { id }, body: { ...body, userId: topup.userId } };
  };
}

/** A payout that was made twice, charged to a user who has nothing. */
function charge(here: () => ScenarioContext): Scenario {
  return async () => {
    const { world, market } = here();
    const { id: withdrawalId, email } = await withdrawalIn(world, market, 'WITHDRAWAL_COMPLETED');
    await doublePayout(world, { withdrawalId, email }, 2000n);
    const id = await foundFor(here(), 'PAYOUT_DOUBLED', withdrawalId);
    const body = { action: 'CHARGE_USER', reason: 'it was paid twice', expectedAmount: '-20' };
    return { ids: { id }, body: { ...body, userId: await market.user() } };
  };
}

/** The exception of this cause that a run finds for a payment. */
async function foundFor(
  { world, market }: ScenarioContext,
  cause: 'PAYOUT_DOUBLED' | 'MONEY_UNCONFIRMED',
  paymentId: string,
): Promise<ExceptionId> {
  await reconciled(world, market, { providers: ['payment_provider'] });
  const query = { status: 'OPEN', cause, limit: '100' } as const;
  const { items } = await listExceptions(world.app, market.call, query);
  const found = items.find(({ resourceId }) => resourceId === paymentId);
  if (found === undefined) throw new Error('the run names it');
  return found.id;
}
