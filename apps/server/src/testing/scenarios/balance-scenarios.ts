//! Valid and invalid calls to every endpoint that moves a balance by hand.
import { randomUUID } from 'node:crypto';
import type { UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { post } from '../../accounts/books/post.ts';
import type { EscrowWorld } from '../escrows.ts';
import type { Market } from '../world.ts';
import type { Attempt, Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

const ORDER = 'ord_1k08xma8hx9nfnxfjw85ag4b3g4';
const amount = (value: string) => ({ body: { amount: value } });

export function balanceScenarios(
  here: () => ScenarioContext,
): Readonly<Record<string, readonly Scenario[]>> {
  const withMoney =
    (attempt: Attempt): Scenario =>
    async () => ({ ids: { userId: await userWithMoney(here()) }, ...attempt });
  const again =
    (action: string, body: object): Scenario =>
    async () =>
      sentBefore(here(), action, body);
  return {
    getBalance: [async () => ({ ids: { userId: await here().market.user() } })],
    creditBalance: [
      withMoney(amount('1.00')),
      again('credit', { amount: '1.00', reference: randomUUID() }),
    ],
    debitBalance: [
      withMoney(amount('1.00')),
      again('debit', { amount: '1.00' }),
      withMoney({ ...amount('50.01'), refused: 'INSUFFICIENT_FUNDS' }),
    ],
    reserveBalance: [
      withMoney(amount('1.00')),
      again('reserve', { amount: '1.00' }),
      withMoney({ ...amount('50.01'), refused: 'INSUFFICIENT_FUNDS' }),
    ],
    releaseBalance: [
      withMoney(amount('20.00')),
      again('release', { amount: '1.00' }),
      withMoney({ ...amount('20.01'), refused: 'RESERVATION_EXCEEDED' }),
    ],
    cancelReservation: [
      async () => withOrderHold(here()),
      withMoney({ body: { orderId: ORDER }, refused: 'RESERVATION_NOT_FOUND' }),
    ],
    deductReserved: [
      withMoney(amount('20.00')),
      again('deduct-reserved', { amount: '1.00' }),
      withMoney({ ...amount('20.01'), refused: 'INVALID_RESERVED_DEDUCTION' }),
    ],
  };
}

/** A user with 50.00 available and 20.00 reserved by hand. */
async function userWithMoney({ market }: ScenarioContext): Promise<UserId> {
  const userId = await market.user();
  await market.send('POST', `/users/${userId}/balance/credit`, amount('70.00'));
  await market.send('POST', `/users/${userId}/balance/reserve`, amount('20.00'));
  return userId;
}

/** A request that was sent once under its Idempotency-Key, to be sent again. */
export async function sentBefore(
  context: ScenarioContext,
  action: string,
  body: object,
): Promise<Attempt> {
  const userId = await userWithMoney(context);
  const headers = { 'idempotency-key': randomUUID() };
  await context.market.send('POST', `/users/${userId}/balance/${action}`, { body, headers });
  return { ids: { userId }, body, headers, isRepeat: true };
}

async function withOrderHold(context: ScenarioContext): Promise<Attempt> {
  const { app } = context.world;
  const userId = await userWithMoney(context);
  // The books accept a hold for an order without checking that it exists.
  const held = Money.read('5.00', 'USD') as Money;
  const { call } = context.market;
  await post(app, call, { kind: 'reserve', userId, amount: held, orderId: ORDER });
  return { ids: { userId }, body: { orderId: ORDER } };
}
