//! Webhooks of the escrow provider: the sandbox's own, and any that a test makes up and signs.
import { createHmac, randomUUID } from 'node:crypto';
import { getOrder } from '../orders/order/read-orders.ts';
import { runInbox } from './due.ts';
import {
  type EscrowedOrder,
  type EscrowWorld,
  openEscrowWorld,
  useAuditedBooks,
  useNoFaults,
} from './escrows.ts';
import { listen } from './sse.ts';
import { until } from './until.ts';
import { useMarketIn, type WorldWithMarket } from './use-world.ts';
import type { ApiResponse, Market, World } from './world.ts';

export const ESCROW_SECRET = 'whsec_for-tests-only';
const PATH = '/webhooks/escrow-provider';

export interface WebhookWorld extends EscrowWorld {
  /** Runs the job as a worker does; returns how many events are still pending. */
  runInbox(): Promise<number>;
}

/** The sandbox sends its webhooks to this world's own server. */
export async function openWebhookWorld(): Promise<WebhookWorld> {
  const world = await openEscrowWorld({ ESCROW_WEBHOOK_SECRET: ESCROW_SECRET });
  const escrow = { url: `${await listen(world)}${PATH}`, secret: ESCROW_SECRET };
  await world.sandbox.control('POST', '/webhooks', { escrow });
  const worker = { ...world.custody, engine: world.engine };
  return { ...world, runInbox: () => runInbox(world, worker) };
}

/** Each test starts without faults, and all of them leave books that audit. */
export function useWebhookWorld(): WorldWithMarket<WebhookWorld> {
  const opened = useMarketIn(openWebhookWorld);
  useAuditedBooks(opened.world);
  useNoFaults(opened.world);
  return opened;
}

/** Waits until all webhooks of the sandbox have arrived, and applies them. */
export async function settleWebhooks(world: WebhookWorld): Promise<void> {
  await until(async () => {
    const { webhooks } = (await world.sandbox.control('GET', '/webhooks')) as {
      webhooks: readonly { status: string }[];
    };
    const isDelivered = !webhooks.some(({ status }) => status === 'pending' || status === 'held');
    return isDelivered && (await world.runInbox()) === 0;
  });
}

export interface EscrowNotification {
  readonly type: string;
  readonly event_id: string;
  readonly data: Record<string, unknown>;
}

/** A notification about an order, as the provider would send it, with the given fields changed. */
export async function notificationOf(
  { app }: EscrowWorld,
  { call }: Market,
  { id }: Pick<EscrowedOrder, 'id'>,
  type: string,
  fields: Record<string, unknown> = {},
): Promise<EscrowNotification> {
  const { amount, escrow } = await getOrder(app, call, id);
  return {
    type,
    event_id: `evt_${randomUUID()}`,
    data: {
      contract_id: escrow?.providerContractId ?? null,
      order_id: id,
      status: type.split('.')[1],
      amount: String(amount.minor * 100_000n),
      currency: 'USDC',
      created_at: '2026-11-15T00:00:00.000Z',
      updated_at: '2026-11-15T00:00:00.000Z',
      ...fields,
    },
  };
}

export function signatureOf(text: string, secret = ESCROW_SECRET): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

export function sendSigned(
  world: World,
  notification: EscrowNotification | string,
): Promise<ApiResponse> {
  const body = typeof notification === 'string' ? notification : JSON.stringify(notification);
  return world.send('POST', PATH, { body, headers: { 'x-escrow-signature': signatureOf(body) } });
}

/** An unsigned notification proves none of its content. */
export function sendUnsigned(
  world: World,
  notification: EscrowNotification | string,
): Promise<ApiResponse> {
  return world.send('POST', PATH, { body: notification });
}

export function sendWith(world: World, body: string, signature: string): Promise<ApiResponse> {
  return world.send('POST', PATH, { body, headers: { 'x-escrow-signature': signature } });
}

export interface InboxRow {
  readonly status: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly contradictions: number;
  readonly marketplace_id: string | null;
  readonly resource_id: string | null;
  readonly [name: string]: unknown;
}

export async function inboxRow(world: World, eventId: string): Promise<InboxRow | undefined> {
  const [row] = await world.rows<InboxRow>(
    `select status, attempts, last_error, contradictions, marketplace_id, resource_id, event_type
     from inbox where provider_event_id = $1`,
    [eventId],
  );
  return row;
}
