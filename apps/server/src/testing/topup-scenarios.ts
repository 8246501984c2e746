//! Right calls, and wrong ones, to every endpoint of top-ups and to the payment provider's webhook;
//! and top-ups that wait for a look.
import { randomUUID } from 'node:crypto';
import type { TopupState } from '@holdfast/contract/topup-machine';
import type { TopupId } from '@holdfast/kernel/ids';
import { storeEvent } from '../inbox/provider-event.ts';
import type { EscrowWorld } from './escrows.ts';
import type { Attempt, Scenario } from './order-scenarios.ts';
import { messageAbout, type PaymentMessage, paymentHeaders } from './payment-webhooks.ts';
import { askFor, pressPay, topupIn } from './topups.ts';
import { holdPayouts, withdrawalIn } from './withdrawals.ts';
import type { Market } from './world.ts';

interface Place {
  readonly world: EscrowWorld;
  readonly market: Market;
}

export function topupScenarios(here: () => Place): Readonly<Record<string, readonly Scenario[]>> {
  const plain: Scenario = async () => ({});
  const wish = async () => ({ userId: await here().market.user(), amount: '50.00' });
  const on =
    (state: TopupState, attempt: Attempt = {}): Scenario =>
    async () => {
      const { world, market } = here();
      return { ids: { id: (await topupIn(world, market, state)).id }, ...attempt };
    };
  return {
    createTopup: [
      async () => ({ body: await wish() }),
      async () => {
        await here().world.sandbox.arm('payment', 'payin.create', 'reject');
        return { body: await wish() };
      },
      async () => {
        const [body, headers] = [await wish(), { 'idempotency-key': randomUUID() }];
        await here().market.send('POST', '/topups', { body, headers });
        return { body, headers, isRepeat: true };
      },
      async () => ({ body: { ...(await wish()), currency: 'XLM' }, refused: NOT_SUPPORTED }),
    ],
    listTopups: [plain],
    getTopup: [on('TOPUP_PROCESSING')],
    refreshTopup: [
      ...CHANGED.map((change) => async () => ({ ids: { id: (await change(here())).id } })),
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

type Change = (place: Place) => Promise<{ readonly id: TopupId }>;

const changed =
  (change: (place: Place, id: TopupId) => Promise<void>): Change =>
  async (place) => {
    const topup = await askFor(place.world, place.market);
    await change(place, topup.id);
    return topup;
  };

/** One for each thing that a look can find. */
const CHANGED: readonly Change[] = [
  async (place) => {
    const topup = await topupIn(place.world, place.market, 'TOPUP_CREATED');
    const { id: code, amount } = topup;
    const returnUrl = 'http://localhost/';
    const page = { description: 'lost', returnUrl, cancelUrl: returnUrl };
    await place.world.app.payments?.createPayin({ code, amountMinor: amount.minor, ...page });
    return topup;
  },
  changed(({ world }, id) => pressPay(world, id, { isSlow: true })),
  changed(({ world }, id) => world.sandbox.setPayin(id, 'CONFIRMED')),
  changed(({ world }, id) => world.sandbox.setPayin(id, 'FAILED')),
  changed(({ world }, id) => world.sandbox.setPayin(id, 'CANCELED')),
];

/** All of them, due now. */
export async function dueTopups(place: Place): Promise<void> {
  const ids: TopupId[] = [];
  for (const change of CHANGED) ids.push((await change(place)).id);
  await place.world.rows('update topup_look set next_look_at = since where topup_id = any ($1)', [
    ids,
  ]);
}

type Told = (place: Place) => Promise<PaymentMessage>;

const TOLD: readonly Told[] = [
  ...['processing', 'succeeded', 'failed', 'canceled'].map(
    (what): Told =>
      async ({ world, market }) =>
        messageAbout(await askFor(world, market), `payin.${what}`),
  ),
  toldOfPayout('pending', 'WITHDRAWAL_COMMITTED'),
  ...['pending_user_action', 'completed', 'failed', 'canceled'].map((what) =>
    toldOfPayout(what, 'WITHDRAWAL_PENDING'),
  ),
];

function toldOfPayout(what: string, state: Parameters<typeof withdrawalIn>[2]): Told {
  return async ({ world, market }) => {
    await holdPayouts(world);
    const { id } = await withdrawalIn(world, market, state);
    const data = { id, code: id, amount: 20, currency: 'USD', status: what.toUpperCase() };
    const head = { eventId: randomUUID(), eventType: `payout.${what}` };
    return { ...head, occurredAt: '2099-11-15T00:00:00.000Z', data };
  };
}

/** Each sent signed, and the last of them twice. */
function paymentScenarios(here: () => Place): readonly Scenario[] {
  const sent = (message: PaymentMessage) => {
    const body = JSON.stringify(message);
    return { body, headers: paymentHeaders(body) };
  };
  const repeated: Scenario = async () => {
    const { world, market } = here();
    const topup = await topupIn(world, market, 'TOPUP_SUCCEEDED');
    return { ...sent(messageAbout(topup, 'payin.succeeded')), isRepeat: true };
  };
  return [...TOLD.map((told) => async () => sent(await told(here()))), repeated];
}

/** The same, stored by a process that died before it could apply them. */
export async function storePaymentNotices(place: Place): Promise<void> {
  for (const told of TOLD) {
    const message = await told(place);
    const { eventId, eventType: type } = message;
    const event = { provider: 'payment-provider', eventId, type } as const;
    const body = JSON.stringify(message);
    await storeEvent(place.world.app, { ...event, body, requestId: randomUUID() });
  }
}
