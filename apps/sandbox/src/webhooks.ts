//! Sends webhooks as vendors do: stored first, then tried until a 2xx or the last attempt.
//!
//! A face sends with `send` and, once at start, calls `resume` for what a restart left unsent. The
//! headers are made for each attempt, since some vendors sign the time of the attempt.
import { randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { WorldClock } from './clock.ts';
import type { FaultKind, Faults } from './faults.ts';
import type { Store } from './store.ts';

export type WebhookProvider = 'escrow' | 'payment';

/** Where a provider's webhooks go; kept as ('webhook-target', provider). */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export interface WebhookAttempt {
  readonly at: string;
  /** Absent when no response came. */
  readonly status?: number;
  readonly error?: string;
  readonly tookMs: number;
}

/** Held: a reorder fault keeps it back. Lost: a drop fault, or no target was set. */
export type WebhookStatus = 'pending' | 'held' | 'delivered' | 'failed' | 'lost';

export interface Webhook {
  readonly id: string;
  readonly provider: WebhookProvider;
  readonly type: string;
  readonly url: string;
  readonly body: string;
  /** How often it is sent even though it arrived: more than once under duplicate-webhook. */
  readonly copies: number;
  readonly status: WebhookStatus;
  readonly createdAt: string;
  readonly attempts: readonly WebhookAttempt[];
}

/** The attempts count from 1. */
export type WebhookHeaders = (attempt: number, webhook: Webhook) => Record<string, string>;

export interface OutgoingWebhook {
  readonly provider: WebhookProvider;
  readonly type: string;
  readonly body: string;
  readonly headers: WebhookHeaders;
}

interface Sending {
  readonly store: Store;
  readonly clock: WorldClock;
  readonly faults: Faults;
}

/** Vendors spread the same number of attempts over a day. */
const BACK_OFF_MS: readonly number[] = [0, 1_000, 5_000, 30_000, 60_000, 120_000];
const RESPONSE_TIMEOUT_MS = 15_000;
const COPIES = 3;
const FAULTS: readonly FaultKind[] = ['duplicate-webhook', 'reorder-webhooks', 'drop-webhook'];

export class WebhookSender {
  readonly #world: Sending;
  readonly #headers = new Map<string, WebhookHeaders>();

  constructor(world: Sending) {
    this.#world = world;
  }

  /** Stores the webhook and starts sending it; never throws for the receiver's errors. */
  send({ provider, type, body, headers }: OutgoingWebhook): Webhook {
    const { store, clock, faults } = this.#world;
    const url = store.get<WebhookTarget>('webhook-target', provider)?.url;
    const fault = url === undefined ? undefined : faults.take(provider, 'webhook', FAULTS);
    const webhook: Webhook = {
      id: `whk_${randomBytes(12).toString('hex')}`,
      provider,
      type,
      url: url ?? '',
      body,
      copies: fault === 'duplicate-webhook' ? COPIES : 1,
      status: firstStatus(url, fault),
      createdAt: clock.text(),
      attempts: [],
    };
    store.put('webhook', webhook.id, webhook);
    if (webhook.status !== 'lost') this.#headers.set(webhook.id, headers);
    if (webhook.status === 'pending') this.#schedule(webhook);
    return webhook;
  }

  /** Resumes the webhooks that were unsent when the process ended. */
  resume(provider: WebhookProvider, headers: WebhookHeaders): void {
    for (const webhook of this.#world.store.all<Webhook>('webhook')) {
      if (webhook.provider !== provider) continue;
      if (webhook.status === 'pending' || webhook.status === 'held')
        this.#headers.set(webhook.id, headers);
      if (webhook.status === 'pending') this.#schedule(webhook);
    }
  }

  #schedule({ id, attempts, copies }: Webhook): void {
    const arrived = attempts.filter(isDelivered).length;
    const tried = attempts.length - arrived;
    const isCopy = arrived > 0 && arrived < copies;
    const delayMs = isCopy ? 0 : (BACK_OFF_MS[tried] ?? 0);
    setTimeout(() => void this.#attempt(id), delayMs).unref();
  }

  async #attempt(id: string): Promise<void> {
    const webhook = this.#world.store.get<Webhook>('webhook', id);
    const headers = this.#headers.get(id);
    // The world may have been reset since this was planned.
    if (webhook?.status !== 'pending' || headers === undefined) return;
    const startedAt = performance.now();
    const at = this.#world.clock.text();
    const result = await post(webhook, headers(webhook.attempts.length + 1, webhook));
    const attempt = { at, ...result, tookMs: Math.round(performance.now() - startedAt) };
    if (this.#world.store.get<Webhook>('webhook', id) === undefined) return;
    const attempts = [...webhook.attempts, attempt];
    const next: Webhook = { ...webhook, attempts, status: statusAfter(attempts, webhook.copies) };
    this.#world.store.put('webhook', id, next);
    if (next.status === 'pending') this.#schedule(next);
    else this.#headers.delete(id);
    if (attempts.length === 1) this.#letGo(webhook.provider);
  }

  /** Another webhook has been sent: those held back follow it. */
  #letGo(provider: WebhookProvider): void {
    for (const held of this.#world.store.all<Webhook>('webhook')) {
      if (held.provider !== provider || held.status !== 'held') continue;
      const next: Webhook = { ...held, status: 'pending' };
      this.#world.store.put('webhook', held.id, next);
      this.#schedule(next);
    }
  }
}

function firstStatus(url: string | undefined, fault: FaultKind | undefined): WebhookStatus {
  if (url === undefined || fault === 'drop-webhook') return 'lost';
  return fault === 'reorder-webhooks' ? 'held' : 'pending';
}

function statusAfter(attempts: readonly WebhookAttempt[], copies: number): WebhookStatus {
  const arrived = attempts.filter(isDelivered).length;
  if (arrived >= copies) return 'delivered';
  if (attempts.length - arrived < BACK_OFF_MS.length) return 'pending';
  return arrived > 0 ? 'delivered' : 'failed';
}

function isDelivered({ status }: WebhookAttempt): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Redirects are not followed: to the sender they are failures. */
function post(
  { url, body }: Webhook,
  headers: Record<string, string>,
): Promise<{ status?: number; error?: string }> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ error: error.message });
    try {
      const request = send(url, {
        method: 'POST',
        // A connection of its own: a kept one may have been closed by a receiver that restarted.
        agent: false,
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        },
      });
      request.once('error', fail);
      request.once('response', (response) => {
        response.resume();
        response.once('error', fail);
        response.once('end', () => resolve({ status: response.statusCode ?? 0 }));
      });
      request.end(body);
    } catch (error) {
      fail(error as Error);
    }
  });
}
