//! Tells the platform what happened on the ledger: signed webhooks, one for each event.
//!
//! The vendor has none; somebody has to watch the ledger, and here it is the sandbox. Events wait
//! in the store, put there with their transactions, so a restart finds those that were not sent.
import { createHmac } from 'node:crypto';
import { WebhookSender, type WebhookTarget } from '../webhooks.ts';
import type { World } from '../world.ts';
import { type EscrowEvent, EVENTS } from './escrow-events.ts';

export function watchEscrows(world: World): void {
  const sender = new WebhookSender(world);
  const headers = (_attempt: number, { body }: { body: string }) => sign(world, body);
  const sendAll = () => {
    for (const event of world.store.all<EscrowEvent>(EVENTS)) {
      const body = JSON.stringify(event);
      sender.send({ provider: 'escrow', type: event.type, body, headers });
      world.store.put(EVENTS, event.event_id, null);
    }
  };
  sender.resume('escrow', headers);
  sendAll();
  world.ledger.onApplied(sendAll);
}

function sign(world: World, body: string): Record<string, string> {
  const secret = world.store.get<WebhookTarget>('webhook-target', 'escrow')?.secret;
  // Without a secret it goes out unsigned, which the specification knows as well.
  if (secret === undefined || secret === '') return {};
  return { 'x-escrow-signature': createHmac('sha256', secret).update(body).digest('hex') };
}
