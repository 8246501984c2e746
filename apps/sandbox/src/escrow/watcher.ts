//! Sends signed webhooks to the platform, one for each event of a contract.
//!
//! The vendor has no webhooks, so the sandbox watches the ledger instead. Events are stored with
//! their transactions, so a restart finds those that were not sent.
import { createHmac } from 'node:crypto';
import { WebhookSender, type WebhookTarget } from '../webhooks.ts';
import type { World } from '../world.ts';
import { type EscrowEvent, EVENTS } from './escrow-events.ts';

/** A provider that left out the contract's id also sends its webhook late. */
const LATE_MS = 2_000;

export function watchEscrows(world: World): void {
  const { store, ledger } = world;
  const sender = new WebhookSender(world);
  const headers = (_attempt: number, { body }: { body: string }) => sign(world, body);
  const late = new Set<string>();
  const send = (event: EscrowEvent) => {
    const body = JSON.stringify(event);
    sender.send({ provider: 'escrow', type: event.type, body, headers });
    store.put(EVENTS, event.event_id, null);
  };
  const sendLater = ({ event_id }: EscrowEvent) => {
    late.add(event_id);
    const sendLate = () => {
      late.delete(event_id);
      // The world may have been reset since.
      const event = store.get<EscrowEvent>(EVENTS, event_id);
      if (event !== undefined) send(event);
    };
    setTimeout(sendLate, LATE_MS).unref();
  };
  const sendAll = () => {
    const events = store.all<EscrowEvent>(EVENTS).filter(({ event_id }) => !late.has(event_id));
    for (const event of events)
      if (ledger.withheld.has(event.data.transaction_hash)) sendLater(event);
      else send(event);
  };
  sender.resume('escrow', headers);
  sendAll();
  ledger.onApplied(sendAll);
}

function sign(world: World, body: string): Record<string, string> {
  const secret = world.store.get<WebhookTarget>('webhook-target', 'escrow')?.secret;
  // Without a secret it goes out unsigned, which the specification knows as well.
  if (secret === undefined || secret === '') return {};
  return { 'x-escrow-signature': createHmac('sha256', secret).update(body).digest('hex') };
}
