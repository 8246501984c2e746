//! Takes a notice of the payment provider: POST /webhooks/payment-provider.
//!
//! Verified over its raw bytes, stored before it is acknowledged, and applied at once where it
//! fits. Whatever becomes of it, the provider is told that we have it: it would only send it again.
import type { DataOf } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import type { surfaceA } from '@holdfast/contract/surface-a';
import type { Config } from '../config.ts';
import type { Verdict } from '../providers/notice.ts';
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { atMost } from './at-most.ts';
import { isMessageSigned, type SignedMessage } from './message-signature.ts';
import { readPaymentBody } from './payment-body.ts';
import { storeEvent } from './provider-event.ts';

export interface PaymentReceiver extends Applier {
  readonly config: Pick<Config, 'PAYMENT_WEBHOOK_SECRET'>;
}

/** What came, before anybody has looked into it. */
export interface SentMessage extends SignedMessage {
  readonly requestId: string;
  /** Refuses an address that has sent too much that proves nothing. */
  readonly countAddress: () => Promise<void>;
}

type Acknowledgement = DataOf<typeof surfaceA.receivePaymentWebhook>;

/** As long as a sender may wait to see the effect at once. */
const APPLY_MS_MAX = 5000;

export async function receivePaymentWebhook(
  app: PaymentReceiver,
  sent: SentMessage,
): Promise<Acknowledgement> {
  await verify(app, sent);
  const { id, text, requestId } = sent;
  const read = text.includes('\u0000') ? undefined : readPaymentBody(text, id);
  if (read === undefined) {
    const wants = 'the body must be JSON with eventId, eventType and data';
    return refuse('VALIDATION_ERROR', { validationErrors: [wants] });
  }
  const { eventId, type } = read;
  const event = { provider: 'payment-provider', eventId, type } as const;
  const kept = { body: text, requestId, keptForMs: APPLY_MS_MAX };
  const stored = await storeEvent(app, { ...event, ...kept });
  if (stored.kind === 'contradicted')
    app.log.error({ webhookId: eventId, requestId }, 'meet contradicting webhook');
  if (stored.kind !== 'new') {
    // One that could not be applied the first time may be by now.
    if (stored.kind === 'repeated')
      await atMost(APPLY_MS_MAX, applyProviderEvent(app, stored.place));
    return { status: 'ok', duplicate: true };
  }
  const applying = applyProviderEvent(app, stored.place, { isFirst: true });
  const verdict = await atMost(APPLY_MS_MAX, applying);
  return { status: 'ok', processed: isTaken(verdict) };
}

/** It fits what we have. What an operation of ours is at will be so by itself. */
function isTaken(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && verdict.kind !== 'early' && verdict.kind !== 'wrong';
}

async function verify({ config, clock, log }: PaymentReceiver, sent: SentMessage): Promise<void> {
  const { PAYMENT_WEBHOOK_SECRET: secrets } = config;
  if (secrets === undefined) {
    log.warn({ requestId: sent.requestId }, 'skip verifying webhook');
    return;
  }
  if (isMessageSigned(secrets, sent, clock.now())) return;
  await sent.countAddress();
  refuse('WEBHOOK_SIGNATURE_INVALID', {});
}
