//! Sends a webhook for every change, signed as Svix signs: in the vendor's form or in ours.
import { createHmac, randomUUID } from 'node:crypto';
import type { Webhook, WebhookHeaders, WebhookTarget } from '../webhooks.ts';
import { WebhookSender } from '../webhooks.ts';
import type { World } from '../world.ts';
import { centsNumber } from './cents.ts';
import type { Payin, PayinStatus, Payout, PayoutStatus } from './records.ts';
import { payinView, payoutView } from './records.ts';

/** Normalised: the thirteen types that our specification names. Vendor: its own eight. */
export interface PaymentTarget extends WebhookTarget {
  readonly form?: 'vendor' | 'normalised';
}

interface EventTypes {
  readonly normalised: readonly string[];
  readonly vendor?: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const PAYIN_EVENTS: Readonly<Record<PayinStatus, EventTypes>> = {
  CREATED: { normalised: ['payin.created', 'payin.awaiting_user_confirmation'], vendor: 'payin.created' },
  PROCESSING: { normalised: ['payin.processing'] },
  CONFIRMED: { normalised: ['payin.succeeded'], vendor: 'payin.confirmed' },
  // The vendor documents no notification of a reversal: its record and its list show it.
  REVERSED: { normalised: [] },
  FAILED: { normalised: ['payin.failed'], vendor: 'payin.failed' },
  CANCELED: { normalised: ['payin.canceled'], vendor: 'payin.canceled' },
};

// biome-ignore format: a table is the one thing exempt from the line limit.
const PAYOUT_EVENTS: Readonly<Record<PayoutStatus, EventTypes>> = {
  CREATED: { normalised: ['payout.created'], vendor: 'payout.created' },
  COMMITTED: { normalised: ['payout.committed'] },
  PENDING: { normalised: ['payout.pending'] },
  PENDING_USER_ACTION: { normalised: ['payout.pending_user_action'] },
  COMPLETED: { normalised: ['payout.completed'], vendor: 'payout.completed' },
  FAILED: { normalised: ['payout.failed'], vendor: 'payout.failed' },
  CANCELED: { normalised: ['payout.canceled'], vendor: 'payout.canceled' },
};

export function announcePayin(world: World, payin: Payin): void {
  announce(world, PAYIN_EVENTS[payin.status], payin, payin.amount, payinView(payin));
}

export function announcePayout(world: World, payout: Payout): void {
  const amount = payout.gross - payout.enterpriseFee;
  announce(world, PAYOUT_EVENTS[payout.status], payout, amount, payoutView(payout));
}

/** Resumes the webhooks that a restart left unsent. */
export function resumeWebhooks(world: World): void {
  senderOf(world).resume('payment', signer(world));
}

function announce(
  world: World,
  types: EventTypes,
  record: Payin | Payout,
  cents: bigint,
  vendorView: object,
): void {
  const headers = signer(world);
  const send = (type: string, body: object) =>
    senderOf(world).send({ provider: 'payment', type, body: JSON.stringify(body), headers });
  if (targetOf(world)?.form === 'vendor') {
    if (types.vendor !== undefined) send(types.vendor, { type: types.vendor, data: vendorView });
    return;
  }
  for (const type of types.normalised) send(type, normalised(type, record, cents));
}

function normalised(eventType: string, record: Payin | Payout, cents: bigint): object {
  const { id, status, reason, updatedAt } = record;
  return {
    eventId: `evt_${randomUUID()}`,
    eventType,
    occurredAt: updatedAt,
    data: {
      id,
      code: record.code ?? null,
      amount: centsNumber(cents),
      currency: 'USD',
      status,
      reasonCode: reason?.code ?? null,
      reasonDescription: reason?.description ?? null,
    },
  };
}

/** Each attempt has its own signature and time, as with Svix; the id is the webhook's. */
function signer(world: World): WebhookHeaders {
  return (_attempt, { id, body }: Webhook) => {
    const timestamp = String(Math.floor(world.clock.now() / 1000));
    const signature = sign(targetOf(world)?.secret ?? '', `${id}.${timestamp}.${body}`);
    return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signature };
  };
}

export function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

function targetOf(world: World): PaymentTarget | undefined {
  return world.store.get<PaymentTarget>('webhook-target', 'payment');
}

/** One sender for each world: it remembers what is on its way. */
const senders = new WeakMap<World, WebhookSender>();

function senderOf(world: World): WebhookSender {
  const known = senders.get(world);
  if (known !== undefined) return known;
  const sender = new WebhookSender(world);
  senders.set(world, sender);
  return sender;
}
