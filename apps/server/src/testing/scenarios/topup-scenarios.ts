//! Valid and invalid calls to every endpoint of top-ups and to the payment provider's webhook; and
//! top-ups that are due for a poll.
import { randomUUID } from 'node:crypto';
import type { TopupState } from '@holdfast/contract/machines/topup-machine';
import type { TopupId } from '@holdfast/kernel/ids';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { refreshTopup } from '../../payments/topups/refresh-topup.ts';
import { storeEvent } from '../../webhooks/incoming/inbox.ts';
import { owe } from '../debts.ts';
import { setTopupsDue } from '../due.ts';
import type { EscrowWorld } from '../escrows.ts';
import { messageAbout, type PaymentMessage, paymentHeaders } from '../payment-webhooks.ts';
import { pressPay, requestTopup, reverseAtProvider, setTerms, topupIn } from '../topups.ts';
import { holdPayouts, withdrawalIn } from '../withdrawals.ts';
import type { Market } from '../world.ts';
import type { Attempt, Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

export function topupScenarios(
  here: () => ScenarioContext,
): Readonly<Record<string, readonly Scenario[]>> {
  const plain: Scenario = async () => ({});
  const topupBody = async () => ({ userId: await here().market.user(), amount: '50.00' });
  const on =
    (state: TopupState, attempt: Attempt = {}): Scenario =>
    async () => {
      const { world, market } = here();
      return { ids: { id: (await topupIn(world, market, state)).id }, ...attempt };
    };
  return {
    createTopup: [
      async () => ({ body: await topupBody() }),
      async () => {
        await here().world.sandbox.arm('payment', 'payin.create', 'reject');
        return { body: await topupBody() };
      },
      async () => {
        const [body, headers] = [await topupBody(), { 'idempotency-key': randomUUID() }];
        await here().market.send('POST', '/topups', { body, headers });
        return { body, headers, isRepeat: true };
      },
      async () => ({ body: { ...(await topupBody()), currency: 'XLM' }, refused: NOT_SUPPORTED }),
    ],
    listTopups: [plain],
    getTopup: [on('TOPUP_PROCESSING')],
    refreshTopup: [
      ...CHANGED.map((change) => async () => {
        const { id, key } = await change(here());
        return { ids: { id }, ...(key && { key }) };
      }),
      on('TOPUP_SUCCEEDED', { isRepeat: true }),
    ],
    cancelTopup: [
      on('TOPUP_AWAITING_USER_CONFIRMATION'),
      on('TOPUP_SUCCEEDED', { refused: 'INVALID_STATE' }),
    ],
    topupCallback: [on('TOPUP_AWAITING_USER_CONFIRMATION')],
    receivePaymentWebhook: paymentScenarios(here),
  };
}

const NOT_SUPPORTED = 'CURRENCY_NOT_SUPPORTED';

interface Changed {
  readonly id: TopupId;
  /** Where it belongs to another marketplace. */
  readonly key?: string;
}

type Change = (context: ScenarioContext) => Promise<Changed>;

const changed =
  (change: (context: ScenarioContext, id: TopupId) => Promise<void>): Change =>
  async (context) => {
    const topup = await requestTopup(context.world, context.market);
    await change(context, topup.id);
    return topup;
  };

/** One for each status that a poll can find. */
const CHANGED: readonly Change[] = [
  async (context) => {
    const topup = await topupIn(context.world, context.market, 'TOPUP_CREATED');
    const { id: code, amount } = topup;
    const returnUrl = 'http://localhost/';
    const page = { description: 'lost', returnUrl, cancelUrl: returnUrl };
    await context.world.app.payments?.createPayin({ code, amountMinor: amount.minor, ...page });
    return topup;
  },
  changed(({ world }, id) => pressPay(world, id, { isSlow: true })),
  changed(({ world }, id) => world.sandbox.setPayin(id, 'CONFIRMED')),
  changed(({ world }, id) => world.sandbox.setPayin(id, 'FAILED')),
  changed(({ world }, id) => world.sandbox.setPayin(id, 'CANCELED')),
  reversed('reverse'),
  reversed('reverse', 'reinstate'),
  async ({ world }) => {
    // Its payouts stop.
    const other = await world.market();
    await setTerms(world, other, { debtLimit: '0.00' });
    const { id } = await reversed('reverse')({ world, market: other });
    return { id, key: other.key };
  },
];

/** A payment that was spent and taken back: a debt. What came again repays it. */
function reversed(...actions: readonly Parameters<typeof reverseAtProvider>[2][]): Change {
  return async ({ world, market }) => {
    const topup = await topupIn(world, market, 'TOPUP_SUCCEEDED');
    await debitBalance(world.app, market.call, topup.userId, { amount: '49.00' });
    for (const [at, action] of actions.entries()) {
      await reverseAtProvider(world, topup.id, action);
      if (at < actions.length - 1) await refreshTopup(world.app, market.call, topup.id);
    }
    return topup;
  };
}

/** All of them, due now. */
export async function dueTopups(context: ScenarioContext): Promise<void> {
  const ids: TopupId[] = [];
  for (const change of CHANGED) ids.push((await change(context)).id);
  await setTopupsDue(context.world, ids);
}

type MessageBuilder = (context: ScenarioContext) => Promise<PaymentMessage>;

const MESSAGES: readonly MessageBuilder[] = [
  // Its user owes money and bears the provider's fee, and its record is there.
  async ({ world }) => {
    const market = await world.market();
    const userId = await owe(world, market, await market.user());
    await setTerms(world, market, { payinFee: 'USER' });
    const topup = await requestTopup(world, market, { userId, amount: '30.00' });
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    return messageAbout(topup, 'payin.succeeded');
  },
  ...['processing', 'failed', 'canceled'].map(
    (what): MessageBuilder =>
      async ({ world, market }) =>
        messageAbout(await requestTopup(world, market), `payin.${what}`),
  ),
  payoutMessage('pending', 'WITHDRAWAL_COMMITTED'),
  ...['pending_user_action', 'completed', 'failed', 'canceled'].map((what) =>
    payoutMessage(what, 'WITHDRAWAL_PENDING'),
  ),
];

function payoutMessage(what: string, state: Parameters<typeof withdrawalIn>[2]): MessageBuilder {
  return async ({ world, market }) => {
    await holdPayouts(world);
    const { id } = await withdrawalIn(world, market, state);
    const data = { id, code: id, amount: 20, currency: 'USD', status: what.toUpperCase() };
    const head = { eventId: randomUUID(), eventType: `payout.${what}` };
    return { ...head, occurredAt: '2099-11-15T00:00:00.000Z', data };
  };
}

/** Each is sent signed, and the last of them twice. */
function paymentScenarios(here: () => ScenarioContext): readonly Scenario[] {
  const sent = (message: PaymentMessage) => {
    const body = JSON.stringify(message);
    return { body, headers: paymentHeaders(body) };
  };
  const repeated: Scenario = async () => {
    const { world, market } = here();
    const topup = await topupIn(world, market, 'TOPUP_SUCCEEDED');
    return { ...sent(messageAbout(topup, 'payin.succeeded')), isRepeat: true };
  };
  return [...MESSAGES.map((build) => async () => sent(await build(here()))), repeated];
}

/** The same, stored by a process that died before it could apply them. */
export async function storePaymentNotifications(context: ScenarioContext): Promise<void> {
  for (const build of MESSAGES) {
    const message = await build(context);
    const { eventId, eventType: type } = message;
    const event = { provider: 'payment-provider', eventId, type } as const;
    const body = JSON.stringify(message);
    await storeEvent(context.world.app, { ...event, body, requestId: randomUUID() });
  }
}
