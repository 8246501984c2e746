import assert from 'node:assert/strict';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { WorldClock } from './clock.ts';
import { Faults } from './faults.ts';
import { Store } from './store.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';
import { type Webhook, WebhookSender } from './webhooks.ts';

let receiver: Receiver;
let store: Store;
let faults: Faults;
let sender: WebhookSender;

function openSender(folder?: string): void {
  store = new Store(folder);
  faults = new Faults(store);
  sender = new WebhookSender({ store, faults, clock: new WorldClock(store) });
}

beforeEach(async () => {
  receiver = await openReceiver();
  openSender();
  store.put('webhook-target', 'escrow', { url: receiver.url, secret: 's' });
});
afterEach(() => void receiver.server.close());

const headers = (attempt: number) => ({ 'x-attempt': String(attempt) });
const send = (body: string): Webhook =>
  sender.send({ provider: 'escrow', type: 'escrow.funded', body, headers });
const bodies = () => receiver.received.map(({ body }) => body);

/** Waits until the sender has written down what became of the webhook. */
async function settled(id: string): Promise<Webhook> {
  for (;;) {
    const webhook = store.get<Webhook>('webhook', id);
    if (webhook !== undefined && !['pending', 'held'].includes(webhook.status)) return webhook;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a webhook', () => {
  it('is kept with its attempts', async () => {
    const { id } = send('{"a":1}');
    assert.equal(store.get<Webhook>('webhook', id)?.status, 'pending');
    const webhook = await settled(id);
    assert.equal(webhook.status, 'delivered');
    assert.deepEqual(
      webhook.attempts.map(({ status }) => status),
      [200],
    );
    assert.deepEqual(bodies(), ['{"a":1}']);
    assert.equal(receiver.received[0]?.headers['content-type'], 'application/json');
  });

  it('is tried again after an error and after a redirect, with new headers', async () => {
    receiver.statuses.push(302, 204);
    const { id } = send('{}');
    const webhook = await settled(id);
    assert.deepEqual(
      webhook.attempts.map(({ status }) => status),
      [302, 204],
    );
    assert.deepEqual(
      receiver.received.map(({ headers: sent }) => sent['x-attempt']),
      ['1', '2'],
    );
  });

  it('is tried again when no receiver listens', async () => {
    const { server, url } = receiver;
    const port = Number(new URL(url).port);
    await new Promise((resolve) => server.close(resolve));
    const { id } = send('{}');
    for (;;) {
      const attempts = store.get<Webhook>('webhook', id)?.attempts ?? [];
      if (attempts.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      else break;
    }
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const webhook = await settled(id);
    assert.match(String(webhook.attempts[0]?.error), /ECONNREFUSED/);
    assert.equal(webhook.attempts[1]?.status, 200);
  });

  it('is lost when no target is set', () => {
    const webhook = sender.send({
      provider: 'payment',
      type: 'payin.created',
      body: '{}',
      headers,
    });
    assert.equal(webhook.status, 'lost');
  });
});

describe('faults', () => {
  const arm = (kind: 'duplicate-webhook' | 'reorder-webhooks' | 'drop-webhook', times = 1) =>
    faults.arm({ provider: 'escrow', operation: 'webhook', kind, times });

  it('send one three times', async () => {
    arm('duplicate-webhook');
    await settled(send('once').id);
    await settled(send('next').id);
    assert.deepEqual(bodies(), ['once', 'once', 'once', 'next']);
  });

  it('hold one back until another has gone', async () => {
    arm('reorder-webhooks');
    const held = send('first');
    assert.equal(held.status, 'held');
    await settled(send('second').id);
    await settled(held.id);
    assert.deepEqual(bodies(), ['second', 'first']);
  });

  it('lose one', async () => {
    arm('drop-webhook');
    assert.equal(send('lost').status, 'lost');
    await settled(send('next').id);
    assert.deepEqual(bodies(), ['next']);
  });

  it('leave the other provider alone', async () => {
    faults.arm({ provider: 'payment', operation: 'webhook', kind: 'drop-webhook', times: 1 });
    await settled(send('mine').id);
    assert.deepEqual(bodies(), ['mine']);
  });
});

describe('a restart', () => {
  it('resumes the unsent webhooks, and only those', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'webhooks-'));
    openSender(folder.path);
    store.put('webhook-target', 'escrow', { url: receiver.url, secret: 's' });
    const before = send('sent');
    await settled(before.id);
    // Cut off before the timer fires: kept, but never tried.
    const cut = send('unsent');
    store.close();
    openSender(folder.path);
    sender.resume('escrow', headers);
    await settled(cut.id);
    assert.deepEqual(store.get<Webhook>('webhook', before.id)?.attempts.length, 1);
    assert.ok(bodies().includes('unsent'));
    assert.equal(bodies().filter((body) => body === 'sent').length, 1);
    store.close();
  });
});
