//! Webhooks of the payment provider: made up by a test, and signed as the provider signs.
import { createHmac, randomUUID } from 'node:crypto';
import type { Topup } from '../payments/topups/topup.ts';
import type { ApiResponse, World } from './world.ts';

export const PAYMENT_SECRET = `whsec_${Buffer.from('a secret for payments').toString('base64')}`;
export const PAYMENT_PATH = '/webhooks/payment-provider';

export interface PaymentMessage {
  readonly eventId: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly data: Record<string, unknown>;
}

const STATUSES: Readonly<Record<string, string>> = {
  'payin.created': 'CREATED',
  'payin.awaiting_user_confirmation': 'CREATED',
  'payin.succeeded': 'CONFIRMED',
};

/** A message as the provider would send it, with the given fields changed. */
export function messageAbout(
  { id, amount, providerPayinId }: Pick<Topup, 'id' | 'amount' | 'providerPayinId'>,
  eventType: string,
  fields: Record<string, unknown> = {},
): PaymentMessage {
  return {
    eventId: `evt_${randomUUID()}`,
    eventType,
    occurredAt: '2026-11-15T00:00:00.000Z',
    data: {
      id: providerPayinId ?? id,
      code: id,
      amount: JSON.parse(amount.text) as number,
      currency: 'USD',
      status: STATUSES[eventType] ?? eventType.split('.')[1]?.toUpperCase(),
      reasonCode: null,
      reasonDescription: null,
      ...fields,
    },
  };
}

interface Signing {
  readonly secret?: string;
  readonly id?: string;
  /** Seconds from now. */
  readonly offset?: number;
}

export function paymentHeaders(
  body: string,
  { secret = PAYMENT_SECRET, id = `msg_${randomUUID()}`, offset = 0 }: Signing = {},
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) + offset);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${mac}` };
}

export function sendPayment(
  world: World,
  message: PaymentMessage | object | string,
  signing: Signing = {},
): Promise<ApiResponse> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return world.send('POST', PAYMENT_PATH, { body, headers: paymentHeaders(body, signing) });
}
